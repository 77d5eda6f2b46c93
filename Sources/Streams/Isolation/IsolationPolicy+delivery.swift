extension Subscribers.IsolationPolicy {
  /// Returns the delivery of signals to closures of these actors; `nil` if the closures are called directly.
  ///
  /// A last signal for another actor sets out when those before it have been delivered.
  @usableFromInline
  func delivery(to actor: (any Actor)?, last lastActor: (any Actor)? = nil) -> ActorDelivery? {
    guard self != .trust, let first = actor ?? lastActor else { return nil }
    guard let lastActor, lastActor !== first else { return ActorDelivery(to: first, policy: self) }
    return ActorDelivery(to: first, policy: self, last: ActorDelivery(to: lastActor, policy: self))
  }

  /// The delivery to the actor of a call, under the standard policy; `nil` if the closures are called directly.
  @inlinable @inline(__always)
  static func delivery(toCaller actor: (any Actor)?) -> ActorDelivery? {
    actor.flatMap { standard.delivery(to: $0) }
  }

  /// A closure that belongs to `actor`, as one that may be called anywhere, once.
  @usableFromInline
  func route(_ call: @escaping () -> Void, to actor: any Actor) -> () -> Void {
    if case .trust = self { return call }
    if case .deliverOnActor = self, actor === MainActor.shared {
      return { MainQueue.isCurrent ? call() : ActorDelivery(to: MainActor.shared).deliver(call) }
    }
    let delivery = ActorDelivery(to: actor, policy: self)
    return { delivery.deliver(call) }
  }
}
