public import Interleavings
public import Streams

/// What happens to a publisher while a subscriber listens to it.
public struct SubscriptionScenario<State, Output, Failure: Error> {
  var scenario: Scenario<Subscribed<State, Output, Failure>>

  /// Adds a thread.
  public mutating func thread(_ body: @escaping (State) -> Void) {
    scenario.thread {
      $0.subscriber.beginThread()
      body($0.state)
    }
  }

  /// Adds a task. It must end, in each schedule.
  @discardableResult
  public mutating func task(
    _ body: @escaping @Sendable (State) async -> Void
  ) -> Scenario<Subscribed<State, Output, Failure>>.TaskReference {
    scenario.task {
      $0.subscriber.beginThread()
      await body($0.state)
    }
  }

  /// Adds a thread that cancels the subscription.
  public mutating func cancels() {
    scenario.thread { $0.subscriber.cancel() }
  }

  /// Adds a thread that requests more values.
  public mutating func requests(_ demand: Subscribers.Demand) {
    scenario.thread { $0.subscriber.request(demand) }
  }
}

/// The state of a schedule, and the subscriber that listens.
public struct Subscribed<State, Output, Failure: Error> {
  let state: State
  let subscriber: CheckingSubscriber<Output, Failure>
}

/// What a subscriber has received.
public struct Received<Output, Failure: Error> {
  /// The values, in order.
  public var values: [Output] = []
  /// How the publisher ended, if it did.
  public var completion: Subscribers.Completion<Failure>?
}
