extension Publisher {
  /// Sends the values and the completion of this publisher to `subject`.
  ///
  /// The subject decides about demand. Cancelling or releasing the result ends the subscription, but not the subject.
  public func subscribe<Target: Subject>(_ subject: Target) -> AnyCancellable
  where Target.Output == Output, Target.Failure == Failure {
    let feed = SubjectSubscriber(subject)
    subscribe(feed)
    return AnyCancellable(feed)
  }
}

extension AnySubscriber {
  /// Creates a subscriber that sends to `subject`, which decides about demand.
  public init<Target: Subject>(_ subject: Target) where Target.Output == Input, Target.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }
}

/// Brings what a publisher sends into a subject.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Cancellable {
  @usableFromInline
  struct State {
    @usableFromInline var target: Target?
    @usableFromInline var upstream: SubjectFeed?
  }

  @usableFromInline let state: Guarded<State>

  @usableFromInline
  init(_ target: Target) { state = Guarded(State(target: target)) }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let feed = SubjectFeed(subscription)
    let target = state.withLock { state -> Target? in
      guard state.upstream == nil, let target = state.target else { return nil }
      state.upstream = feed
      return target
    }
    guard let target else { return subscription.cancel() }
    target.send(subscription: feed)
    if state.withLock({ $0.upstream == nil }) { release(feed, target) }
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
    release(taken.upstream, taken.target)
  }

  @usableFromInline
  func cancel() {
    let taken = take()
    taken.upstream?.cancel()
    release(taken.upstream, taken.target)
  }

  /// Removes a feed that is over from its subject, which may live much longer. This works for subjects of the library.
  private func release(_ upstream: SubjectFeed?, _ target: Target?) {
    if let upstream, let target = target as? any Fed { target.subscribers.removeFeed(upstream) }
  }

  private func take() -> State {
    state.withLock { state in
      defer { state = State() }
      return state
    }
  }
}

extension SubjectSubscriber: ReflectedByName {
  @usableFromInline var description: String { "Subject" }

  @usableFromInline var reflectedChildren: [Mirror.Child] {
    let state = state.withLock { $0 }
    return [("parent", state.target as Any), ("upstreamSubscription", state.upstream as Any)]
  }
}

/// The subscription that a subject stores for an upstream. It has the name that Combine shows.
@usableFromInline
final class SubjectFeed: Subscription, ReflectedByName {
  private let upstream: any Subscription

  init(_ upstream: any Subscription) { self.upstream = upstream }

  @usableFromInline func request(_ demand: Subscribers.Demand) { upstream.request(demand) }
  @usableFromInline func cancel() { upstream.cancel() }
  @usableFromInline var description: String { "Subject" }
}
