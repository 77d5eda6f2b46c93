public import NIOCore
public import Streams

extension EventLoopFuture where Value: Sendable {
  /// A publisher that sends the value of this future and finishes, or fails with its error.
  ///
  /// Each subscriber receives the result. A result that is not there yet is delivered on the event loop; one that is, on the
  /// thread of the subscriber's first request. Cancelling has no effect on the future.
  @_disfavoredOverload
  public var publisher: EventLoopFuturePublisher<Value> { EventLoopFuturePublisher(self) }
}

/// The publisher returned by ``NIOCore/EventLoopFuture/publisher``.
public struct EventLoopFuturePublisher<Output: Sendable>: Publisher, Sendable {
  public typealias Failure = any Error

  /// The future whose result is sent.
  public let future: EventLoopFuture<Output>

  /// Creates a publisher of the result of `future`.
  public init(_ future: EventLoopFuture<Output>) { self.future = future }

  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == any Error {
    let result = Future<Output, any Error> { promise in future.whenComplete(promise) }
    result.subscribe(subscriber)
  }
}

/// The reason why ``Streams/Publisher/firstValue(on:)`` has no value.
public enum NoFirstValue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The publisher finished without a value.
  case finished
  /// The publisher was released before it sent anything.
  case released

  public var description: String {
    switch self {
    case .finished: "The publisher finished without a value."
    case .released: "The publisher was released without a value or a completion."
    }
  }
}

extension Publisher where Output: Sendable {
  /// Subscribes, and returns a future of the first value.
  ///
  /// It requests one value, and cancels the subscription when it arrives. The future fails with the failure of the publisher,
  /// or with ``NoFirstValue``. Futures cannot be cancelled: the subscription lasts until the publisher sends something. For
  /// all values, use `collect().firstValue(on:)`.
  ///
  /// - Parameter eventLoop: Runs the callbacks of the future.
  @_disfavoredOverload
  public func firstValue(on eventLoop: any EventLoop) -> EventLoopFuture<Output> {
    let promise = eventLoop.makePromise(of: Output.self)
    subscribe(PromiseSubscriber<Output, Failure>(promise))
    return promise.futureResult
  }
}
