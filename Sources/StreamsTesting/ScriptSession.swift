public import Streams

extension Script {
  /// The subscription of one subscriber to a ``Script``.
  public final class Session {
    private struct State {
      var attach: ((any Subscription) -> Void)?
      var send: ((Output) -> Subscribers.Demand)?
      var complete: ((Subscribers.Completion<Failure>) -> Void)?
      var answered = Subscribers.Demand.none
      var said = 0
      var hasEnded = false
    }

    private let state: Guarded<State>
    private let keepsSubscriber: Bool

    /// The subscription for the subscriber. It records requests and cancellations.
    public let subscription: SubscriptionRecorder

    init<Downstream: Subscriber<Output, Failure>>(_ script: Script, _ subscriber: Downstream) {
      state = Guarded(
        State(
          attach: { subscriber.receive(subscription: $0) },
          send: { subscriber.receive($0) },
          complete: { subscriber.receive(completion: $0) }))
      keepsSubscriber = script.keepsSubscribers
      subscription = SubscriptionRecorder(name: script.name, journal: script.journal)
      let (onRequest, onCancel) = (script.onRequest, script.onCancel)
      subscription.onRequest = { [weak self] demand in
        if let self { onRequest?(self, demand) }
      }
      subscription.onCancel = { [weak self] in
        guard let self else { return }
        onCancel?(self)
        if !keepsSubscriber { forget() }
      }
    }

    // MARK: Speaking

    /// Passes a subscription to the subscriber: its own first, or another one, against the contract.
    public func handOver(_ subscription: any Subscription) { state.withLock { $0.attach }?(subscription) }

    /// Sends `value`, regardless of demand.
    ///
    /// - Returns: The demand that the subscriber returns; `.none` if it was released.
    @discardableResult
    public func say(_ value: Output) -> Subscribers.Demand {
      let send = state.withLock { state in
        state.said += 1
        return state.send
      }
      let answer = send?(value) ?? .none
      state.withLock { $0.answered += answer }
      return answer
    }

    /// Sends a completion.
    public func end(_ completion: Subscribers.Completion<Failure> = .finished) {
      let complete = state.withLock { state in
        state.hasEnded = true
        return state.complete
      }
      complete?(completion)
      if !keepsSubscriber { forget() }
    }

    /// Releases the subscriber, as a real publisher does when it is cancelled.
    public func forget() {
      let gone = state.withLock { state in
        defer { (state.attach, state.send, state.complete) = (nil, nil, nil) }
        return state
      }
      withExtendedLifetime(gone) {}
    }

    // MARK: What it may do

    /// The demand without a value yet.
    public var outstanding: Subscribers.Demand {
      let (answered, said) = state.withLock { ($0.answered, $0.said) }
      guard let demanded = (subscription.demanded + answered).max else { return .unlimited }
      return .max(Swift.max(0, demanded - said))
    }

    /// True if it was cancelled, or has sent a completion.
    public var isOver: Bool { state.withLock { $0.hasEnded } || subscription.cancellations > 0 }
  }
}

// Everything mutable is guarded; the subscriber is called from whatever thread speaks, as any publisher does
// it.
extension Script.Session: @unchecked Sendable where Output: Sendable {}
