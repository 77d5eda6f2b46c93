internal import CThreads

/// The introspections that are enabled.
package enum Introspections {
  private struct Audience {
    /// In the order in which they were enabled, as the next.
    var hooked: [any _Introspection] = []
    var observers: [any AttachmentObserver] = []
    /// The observers as they are notified: one reference.
    var notified: ObserverList?

    /// What `cthreads_has_onlookers` returns: a bit for each kind.
    var flags: UInt8 { (hooked.isEmpty ? 0 : hooksFlag) | (observers.isEmpty ? 0 : observersFlag) }
  }

  private static let hooksFlag: UInt8 = 1
  private static let observersFlag: UInt8 = 2
  private static let enabled = Guarded(Audience())
  private static let watchesDrops = Guarded(false)

  static func enable(_ one: any _Introspection) {
    enabled.withLock { enabled in
      if let observer = one as? any AttachmentObserver {
        if !enabled.observers.contains(where: { $0 === observer }) { enabled.observers.append(observer) }
        enabled.notified = ObserverList(enabled.observers)
      } else if !enabled.hooked.contains(where: { $0 === one }) {
        enabled.hooked.append(one)
      }
      cthreads_set_onlookers(enabled.flags)
    }
    updateDrops()
  }

  static func disable(_ one: any _Introspection) {
    let gone = enabled.withLock { enabled -> [AnyObject] in
      let gone = enabled.hooked.filter { $0 === one } + enabled.observers.filter { $0 === one }
      enabled.hooked.removeAll { $0 === one }
      enabled.observers.removeAll { $0 === one }
      enabled.notified = ObserverList(enabled.observers)
      cthreads_set_onlookers(enabled.flags)
      return gone
    }
    updateDrops()
    withExtendedLifetime(gone) {}
  }

  static func contains(_ one: any _Introspection) -> Bool {
    enabled.withLock { enabled in
      enabled.hooked.contains { $0 === one } || enabled.observers.contains { $0 === one }
    }
  }

  /// Runs `event`, and notifies all enabled introspections before and after. One that was not notified before is not
  /// notified after.
  static func watch<Result>(
    _ event: () -> Result, will: (any _Introspection) -> Void, did: (any _Introspection, Result) -> Void
  ) -> Result {
    guard cthreads_has_onlookers() & hooksFlag != 0 else { return event() }
    var told: [any _Introspection] = []
    for one in enabled.withLock({ $0.hooked }) where contains(one) {  // a hook may disable the next
      will(one)
      told.append(one)
    }
    let result = event()
    for one in told where contains(one) { did(one, result) }
    return result
  }

  /// Whether hooks are called.
  static var hasHooks: Bool { cthreads_has_onlookers() & hooksFlag != 0 }

  // MARK: Observers

  /// Whether observers are enabled: then ``note(_:on:)`` has an effect.
  static var hasObservers: Bool { cthreads_has_onlookers() & observersFlag != 0 }

  /// Notifies the observers.
  static func note(_ signal: Signal, on attachment: Attachment?) {
    guard hasObservers else { return }
    guard let list = enabled.withLock({ $0.notified }) else { return }
    list.first.observe(signal, on: attachment)
    for one in list.rest { one.observe(signal, on: attachment) }
  }

  /// Lets observers release what they keep for an attachment that was released out of sight.
  static func forget(_ attachment: Attachment) {
    guard hasObservers, let list = enabled.withLock({ $0.notified }) else { return }
    list.first.forget(attachment)
    for one in list.rest { one.forget(attachment) }
  }

  // MARK: Drops

  static func reportsDrops(toWatches isOn: Bool) {
    watchesDrops.withLock { $0 = isOn }
    updateDrops()
  }

  private static func updateDrops() {
    watchesDrops.withLock { cthreads_set_reports_drops($0 || cthreads_has_onlookers() != 0 ? 1 : 0) }
  }

  static func didDrop<Value>(_ value: Value, by dropper: AnyObject, because reason: DropReason) {
    if hasObservers {
      note(.dropped(SeenValue(value), reason, by: dropper), on: Attachments.find(dropper))
    }
    guard cthreads_has_onlookers() & hooksFlag != 0 else { return }
    for one in enabled.withLock({ $0.hooked }) where contains(one) {
      one.didDrop(value, by: dropper, because: reason.rawValue)
    }
  }
}

/// Observers that are notified without a reference count for each.
private final class ObserverList {
  let first: any AttachmentObserver
  let rest: [any AttachmentObserver]

  init?(_ all: [any AttachmentObserver]) {
    guard let first = all.first else { return nil }
    self.first = first
    rest = Array(all.dropFirst())
  }
}
