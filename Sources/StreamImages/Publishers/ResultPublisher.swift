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

/// A publisher of the result of an async function.
///
/// The function runs in a new task for each subscriber. Cancelling the subscription cancels the task.
package func taskPublisher<Output: Sendable>(
  _ work: @escaping @Sendable () async throws(ImagePipeline.Error) -> Output
) -> AnyPublisher<Output, ImagePipeline.Error> {
  ResultPublisher("Eventually") { subscription in
    let task = Task.detached {
      do throws(ImagePipeline.Error) {
        subscription.finish(try await work())
      } catch {
        subscription.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }
  .eraseToAnyPublisher()
}
