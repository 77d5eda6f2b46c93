public import Synchronization

/// The part of a ``SubscriberList`` that needs no types: subscribers in order of arrival, and the thread that
/// delivers.
///
/// State that is neither atomic nor constant is accessed inside the drain loop only.
@usableFromInline
package class AnySubscriberList: DrainLoopOwner, @unchecked Sendable {  // see above
  @usableFromInline final let drainLoop = DrainLoop<() -> Void>()

  /// How many have subscribed and not left. Counted before they are inside the drain loop: a sender that sees none may
  /// drop its value.
  @usableFromInline final let population = Atomic(0)

  /// The subscribers, each retained by its place; `nil` where one has left. Each retains the list: none is left at its end.
  @exclusivity(unchecked)
  @usableFromInline final var places: ContiguousArray<Unmanaged<AnySubjectSubscription>?> = []
  @exclusivity(unchecked)
  private final var gaps = 0
  /// Subscribers that have left. They are retained until no delivery can reach them.
  @exclusivity(unchecked)
  private final var removed: [AnySubjectSubscription] = []
  @exclusivity(unchecked)
  @usableFromInline final var hasRemoved = false

  /// How subscribers see the subscription: `print()` shows it.
  @usableFromInline final let name: String
  @usableFromInline final let zeroDemand: ZeroDemand
  /// Whether any request counts as one for everything.
  @usableFromInline final let takesRequestsAsUnlimited: Bool
  /// Called after a subscriber has requested values, outside the drain loop.
  @usableFromInline final let onRequest: (() -> Void)?
  /// Called after a subscriber has cancelled, or was released.
  @usableFromInline final let onCancel: (() -> Void)?
  /// Formed where the types are known: a method of a class with type parameters is not specialised when it is called
  /// from here.
  @usableFromInline final let replay: ((AnySubscriberList, AnySubjectSubscription) -> Void)?

  @inlinable
  init(
    _ name: String, zeroDemand: ZeroDemand, takesRequestsAsUnlimited: Bool,
    onRequest: (() -> Void)?, onCancel: (() -> Void)?,
    replay: ((AnySubscriberList, AnySubjectSubscription) -> Void)?
  ) {
    self.name = name
    self.zeroDemand = zeroDemand
    self.takesRequestsAsUnlimited = takesRequestsAsUnlimited
    self.onRequest = onRequest
    self.onCancel = onCancel
    self.replay = replay
  }

  // MARK: The drain loop

  /// Runs `action` inside the drain loop: at once, or by the thread that is inside.
  @usableFromInline
  final func perform(_ action: @escaping () -> Void) { drainLoop.perform(action, for: self) }

  /// Leaves the drain loop after ``DrainLoop/enter()``. Mostly there is no mail, and no subscriber has left.
  @inlinable @inline(__always)
  final func leave() {
    if hasRemoved || !drainLoop.gate.leave() { drainAndLeave() }
  }

  /// Handles the mail, releases subscribers that have left, and leaves: after an event was enqueued, too. Not specialised for
  /// each chain.
  @usableFromInline @inline(never)
  final func drainAndLeave() {
    drainLoop.gate.releaseWaiting()  // the notification may have been for that
    drainLoop.drainAndLeave(for: self)
  }

  @usableFromInline
  package final func resume() { drainLoop.resume(for: self) }

  @usableFromInline
  package final func handle(_ action: () -> Void) { action() }

  // MARK: Coming and going

  /// Whether a value that is sent now may reach a subscriber.
  @inlinable @inline(__always)
  package final var hasListeners: Bool {
    population.load(ordering: .relaxed) != 0 || drainLoop.hasMail.load(ordering: .relaxed)
  }

  @usableFromInline
  final func didRequest(by subscription: AnySubjectSubscription) {
    onRequest?()
    replay?(self, subscription)
  }

  /// Removes a subscriber that has cancelled.
  @usableFromInline
  final func leave(_ subscription: AnySubjectSubscription) {
    switch drainLoop.gate.enter() {
    case .entered:
      clearPlace(of: subscription)
      closeGaps()
      subscription.releaseDownstream()
      leave()
    case .nested: remove(subscription)
    case .busy: perform { self.remove(subscription) }
    }
  }

  /// Releases all subscribers without a completion, because no more signals can arrive.
  @usableFromInline
  package final func abandon() {
    perform { [self] in
      for subscription in all where subscription.demandCounter.close() {
        remove(subscription)
        onCancel?()
      }
      if replay != nil { releaseValues() }
    }
  }

  /// Releases the values of a list that replays, which can reach nobody any more. Inside the drain loop only.
  @usableFromInline
  func releaseValues() {}
}

extension AnySubscriberList: ReflectedByName {
  @usableFromInline package final var description: String { name }

  /// For mirrors: `nil` while another thread is inside.
  final func downstream(of subscription: AnySubjectSubscription) -> Any? {
    switch drainLoop.gate.enter() {
    case .entered:
      defer { leave() }
      return subscription.downstream
    case .nested: return subscription.downstream
    case .busy: return nil
    }
  }
}

// MARK: Inside the drain loop

extension AnySubscriberList {
  @usableFromInline
  final func insert(_ subscription: AnySubjectSubscription) {
    guard !subscription.demandCounter.isClosed else {
      population.wrappingSubtract(1, ordering: .relaxed)
      return release(subscription)
    }
    subscription.place = places.count
    places.append(.passRetained(subscription))
  }

  @usableFromInline
  final func remove(_ subscription: AnySubjectSubscription) {
    release(subscription)
    clearPlace(of: subscription)
  }

  private final func release(_ subscription: AnySubjectSubscription) {
    removed.append(subscription)
    hasRemoved = true
  }

  @usableFromInline
  final var all: [AnySubjectSubscription] { places.compactMap { $0?.takeUnretainedValue() } }

  /// Runs when no delivery is under way: releases those that have left, and closes gaps once they are many.
  @usableFromInline @inline(never)
  package final func cleanUp() {
    while hasRemoved {
      hasRemoved = false
      let removed = removed
      self.removed = []
      for subscription in removed { subscription.releaseDownstream() }
    }
    closeGaps()
  }

  private final func closeGaps() {
    while gaps > 0, places[places.count - 1] == nil {
      places.removeLast()
      gaps -= 1
    }
    guard gaps * 2 > places.count else { return }
    gaps = 0
    var kept = 0
    for index in 0..<places.count {
      guard let subscription = places[index] else { continue }
      subscription._withUnsafeGuaranteedRef { $0.place = kept }
      places[kept] = subscription
      kept += 1
    }
    places.removeLast(places.count - kept)
  }

  private final func clearPlace(of subscription: AnySubjectSubscription) {
    guard subscription.place >= 0 else { return }
    places[subscription.place]?.release()
    places[subscription.place] = nil
    subscription.place = -1
    gaps += 1
    population.wrappingSubtract(1, ordering: .relaxed)
  }
}
