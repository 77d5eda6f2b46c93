/// Brings what a publisher sends into a subject.
@usableFromInline
final class SubjectFeed<Target: Subject>: Subscriber, Cancellable, CustomStringConvertible {
  @usableFromInline
  struct State {
    @usableFromInline var target: Target?
    @usableFromInline var upstream: (any Subscription)?
  }

  @usableFromInline let state: Guarded<State>

  @usableFromInline
  init(_ target: Target) { state = Guarded(State(target: target)) }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let target = state.withLock { state -> Target? in
      guard state.upstream == nil, let target = state.target else { return nil }
      state.upstream = subscription
      return target
    }
    guard let target else { return subscription.cancel() }
    target.send(subscription: subscription)
    if state.withLock({ $0.upstream == nil }) { letGo(of: subscription, target) }
  }

  @inlinable
  func receive(_ input: Target.Output) -> Subscribers.Demand {
    state.withLock { $0.upstream == nil ? nil : $0.target }?.send(input)
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Target.Failure>) {
    let taken = take()
    taken.target?.send(completion: completion)
    letGo(of: taken.upstream, taken.target)
  }

  @usableFromInline
  func cancel() {
    let taken = take()
    taken.upstream?.cancel()
    letGo(of: taken.upstream, taken.target)
  }

  /// The subject outlives its feeds: what is over must not wait for its end. Only a subject of this module can be told.
  private func letGo(of upstream: (any Subscription)?, _ target: Target?) {
    if let upstream, let target = target as? any Fed { target.feeds.remove(upstream) }
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }

  @usableFromInline var description: String { "Subject" }
}
