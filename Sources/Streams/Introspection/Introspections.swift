internal import CThreads

/// The introspections that are enabled.
enum Introspections {
  /// In the order in which they were enabled.
  private static let enabled = Guarded<[any _Introspection]>([])

  static func enable(_ one: any _Introspection) {
    enabled.withLock { enabled in
      if !enabled.contains(where: { $0 === one }) { enabled.append(one) }
      cthreads_set_onlookers(1)
    }
  }

  static func disable(_ one: any _Introspection) {
    let gone = enabled.withLock { enabled -> (any _Introspection)? in
      guard let index = enabled.firstIndex(where: { $0 === one }) else { return nil }
      cthreads_set_onlookers(enabled.count > 1 ? 1 : 0)
      return enabled.remove(at: index)
    }
    withExtendedLifetime(gone) {}
  }

  static func contains(_ one: any _Introspection) -> Bool {
    enabled.withLock { enabled in enabled.contains { $0 === one } }
  }

  /// Runs `event`, and notifies all enabled introspections before and after. One that was not notified before is not
  /// notified after.
  static func watch<Result>(
    _ event: () -> Result, will: (any _Introspection) -> Void, did: (any _Introspection, Result) -> Void
  ) -> Result {
    guard cthreads_has_onlookers() != 0 else { return event() }
    var told: [any _Introspection] = []
    for one in enabled.withLock({ $0 }) where contains(one) {  // a hook may disable the next
      will(one)
      told.append(one)
    }
    let result = event()
    for one in told where contains(one) { did(one, result) }
    return result
  }
}
