/// A subscription whose values wait for demand, however late it comes: none is lost.
@usableFromInline
package protocol PulledSubscription: Subscription {
  var isPulled: Bool { get }
}

extension IteratorSubscription: PulledSubscription {
  @usableFromInline package var isPulled: Bool { true }
}

// As its upstream: it passes demand on, or has more of it.
extension SingleUpstreamSubscription: PulledSubscription {
  @usableFromInline package var isPulled: Bool {
    defer { leave() }
    guard lifecycle.enter(), let upstream else { return false }
    return Streams.isPulled(upstream)
  }
}

@usableFromInline
package func isPulled(_ subscription: any Subscription) -> Bool {
  (subscription.unwrapped as? any PulledSubscription)?.isPulled ?? false
}
