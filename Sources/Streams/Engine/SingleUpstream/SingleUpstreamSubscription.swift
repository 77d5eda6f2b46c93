/// An operator with one upstream, one downstream and state: arrival, request, cancellation and release.
///
/// Without type parameters: a subscription is cancelled and released by code that does not know them, and would look them up.
@usableFromInline
package class SingleUpstreamSubscription: Subscription, LifecycleOwner {
  @usableFromInline final let lifecycle = LifecycleState()
  @exclusivity(unchecked)  // written on arrival, and when the last one leaves the lifecycle state
  @usableFromInline final var upstream: SubscriptionObject?
  /// The memory of the ``DownstreamBox``.
  @exclusivity(unchecked)  // cleared when the last one leaves the lifecycle state
  @usableFromInline final var place: UnsafeMutableRawPointer?
  /// Frees it; formed where its type is known.
  @usableFromInline final let close: (UnsafeMutableRawPointer) -> Void

  @inlinable
  init(_ place: UnsafeMutableRawPointer, close: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.place = place
    self.close = close
  }

  deinit {
    if let place { close(place) }
  }

  /// Enters, and stores the first subscription; cancels any other. Call ``leave()`` in either case.
  @usableFromInline
  final func arrive(_ subscription: any Subscription) -> Bool {
    attach(subscription, hasClaimed: lifecycle.enterClaiming())
  }

  /// The same for a caller that is inside. Upstream is stored before it counts as attached: downstream may have its
  /// subscription already, and cancel meanwhile.
  @usableFromInline
  final func attach(_ subscription: any Subscription, hasClaimed: Bool) -> Bool {
    let held = subscription._held
    if hasClaimed {
      upstream = held
      if lifecycle.attach(under: held._gate) { return true }
    }
    held.cancel()
    return false
  }

  /// True once the stream is over.
  @inlinable
  package final var isOver: Bool { lifecycle.isClosed }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    if lifecycle.enter() { upstream?.request(demand) }
    leave()
  }

  @usableFromInline
  package func cancel() {
    if lifecycle.cancel(for: self, { upstream?.cancel() }) { releaseAll() }
  }

  @usableFromInline
  final func cancelUpstream() { upstream?.cancel() }

  @usableFromInline
  package final var _gate: AnyObject? { lifecycle.deliveringGate }

  @inlinable @inline(__always)
  package final func leave() {
    if lifecycle.leave() { releaseAll() }
  }

  @usableFromInline @inline(never)
  final func releaseAll() {
    upstream = nil
    let place = place
    self.place = nil
    if let place { close(place) }
  }

  /// How `print()` and the debugger show this.
  @usableFromInline var name: String { "" }

  /// Returns the children that a mirror shows for the box at `place`.
  func children(at place: UnsafeMutableRawPointer) -> [Mirror.Child] { [] }
}

extension SingleUpstreamSubscription: ReflectedByName {
  @usableFromInline package final var description: String { name }

  @usableFromInline package final var reflectedChildren: [Mirror.Child] {
    let isOpen = lifecycle.enterEarly()
    defer { leave() }
    guard isOpen, let place else { return [] }
    return children(at: place)
  }
}
