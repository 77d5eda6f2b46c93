import Streams

/// Sends the last values to newcomers, as a package of operators writes it.
public final class ReplaySubject<Output, Failure: Error>: Subject {
  private let subject = PassthroughSubject<Output, Failure>()
  private let limit: Int
  private var values: [Output] = []

  public init(maxValues limit: Int) { self.limit = limit }

  public func send(_ value: Output) {
    values = Array((values + [value]).suffix(limit))
    subject.send(value)
  }

  public func send(completion: Subscribers.Completion<Failure>) { subject.send(completion: completion) }
  public func send(subscription: any Subscription) { subject.send(subscription: subscription) }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    values.publisher.setFailureType(to: Failure.self).append(subject).receive(subscriber: subscriber)
  }
}
