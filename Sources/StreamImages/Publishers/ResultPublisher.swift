package import Streams

/// A publisher with a ``ResultSubscription`` for each subscriber.
package struct ResultPublisher<Output: Sendable, Failure: Error>: Publisher {
  private let name: String
  private let start: ResultSubscription<Output, Failure>.Start

  package init(_ name: String, _ start: @escaping ResultSubscription<Output, Failure>.Start) {
    self.name = name
    self.start = start
  }

  package func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = ResultSubscription(name, to: subscriber, start)
    subscriber.receive(subscription: subscription)
    subscription.open()
  }
}
