public import Streams

extension Script {
  /// What a ``Script`` has to do with one subscriber.
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

    /// The subscription that was handed over, or will be. It remembers what it is asked.
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

    /// Hands a subscription to the subscriber: its own if it is the first, or another one, out of contract.
    public func handOver(_ subscription: any Subscription) { state.withLock { $0.attach }?(subscription) }

    /// Sends `value`, whether asked or not.
    ///
    /// - Returns: The subscriber's answer; none if the subscriber was forgotten.
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

    /// Lets go of the subscriber, as a real publisher does when it is cancelled.
    public func forget() {
      let gone = state.withLock { state in
        defer { (state.attach, state.send, state.complete) = (nil, nil, nil) }
        return state
      }
      withExtendedLifetime(gone) {}
    }

    // MARK: What it may do

    /// What was asked for, by requests and answers, and has not been said yet.
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
