package import Streams

/// A publisher whose subscribers each get a ``Delivery``.
package struct DeliveryPublisher<Output: Sendable, Failure: Error>: Publisher {
  private let name: String
  private let start: Delivery<Output, Failure>.Start

  package init(_ name: String, _ start: @escaping Delivery<Output, Failure>.Start) {
    self.name = name
    self.start = start
  }

  package func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let delivery = Delivery(name, to: subscriber, start)
    subscriber.receive(subscription: delivery)
    delivery.open()
  }
}

/// A publisher of the one result of an async function.
///
/// The function runs in a task of its own for each subscriber, which is cancelled with the subscription.
package func eventually<Output: Sendable>(
  _ work: @escaping @Sendable () async throws(ImagePipeline.Error) -> Output
) -> AnyPublisher<Output, ImagePipeline.Error> {
  eventually(showing: { (_: @escaping @Sendable (Output) -> Void) throws(ImagePipeline.Error) in
    try await work()
  })
}

/// The same for a function that can show unfinished results on the way.
package func eventually<Output: Sendable>(
  showing work:
    @escaping @Sendable (_ show: @escaping @Sendable (Output) -> Void) async throws(ImagePipeline.Error) ->
    Output
) -> AnyPublisher<Output, ImagePipeline.Error> {
  DeliveryPublisher("Eventually") { delivery in
    let task = Task.detached {
      do throws(ImagePipeline.Error) {
        delivery.finish(try await work { delivery.show($0) })
      } catch {
        delivery.fail(error)
      }
    }
    return AnyCancellable { task.cancel() }
  }
  .eraseToAnyPublisher()
}
