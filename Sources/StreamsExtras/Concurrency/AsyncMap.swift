/// How a value is treated that arrives while an asynchronous closure is running. See ``Streams/Publisher/asyncMap(_:_:)``.
public enum AsyncMapping: Hashable, Sendable {
  /// Values are requested one at a time. Results keep their order.
  ///
  /// A publisher that ignores demand loses values that it sends in the meantime. Use ``queue`` to keep them.
  case serial
  /// Values wait in an unbounded queue, and results keep the order of the values.
  case queue
  /// The new value cancels the running call.
  case latest
  /// The new value is dropped.
  case first
  /// Up to a number of calls run at once. Results are sent as they complete. More values are requested as calls end, also
  /// while results wait for demand, without a bound.
  case concurrent(Int)
  /// Up to a number of calls run at once. Results keep the order of the values. A call counts until its result and all
  /// earlier ones are sent.
  case ordered(Int)
}

extension Publisher where Output: Sendable {
  /// Transforms each value with an asynchronous closure.
  ///
  /// ```
  /// self    -1----2------3-|
  /// result  ----a---b-------c|     asyncMap(.serial)
  /// ```
  ///
  /// Each call runs in a task, which is cancelled with the subscription. An error that the closure throws is the
  /// failure of the stream. The stream finishes when this publisher and all calls have ended.
  ///
  /// A call has the priority and the task-local values with which its value arrives. A value that waits for the end of
  /// other calls keeps its priority only. Results are sent without task-local values.
  @_disfavoredOverload
  public func asyncMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result
  ) -> AnyPublisher<Result, Failure> {
    asyncFlatten(mapping) { value, priority in
      MorePublishers.AsyncCall<Result, Failure>(priority: priority) { () async throws(Failure) in
        try await transform(value)
      }
    }
  }

  /// Transforms each value with an asynchronous closure that can throw any error.
  ///
  /// The error is the failure of the stream. See ``asyncMap(_:_:)``.
  @_disfavoredOverload
  public func tryAsyncMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial, _ transform: @escaping @Sendable (Output) async throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    mapError { $0 as any Error }.asyncFlatten(mapping) { value, priority in
      MorePublishers.AsyncCall<Result, any Error>(priority: priority) { try await transform(value) }
    }
  }

  /// Transforms each value with an asynchronous closure, and drops `nil` results. See ``asyncMap(_:_:)``.
  @_disfavoredOverload
  public func asyncCompactMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result?
  ) -> AnyPublisher<Result, Failure> {
    asyncMap(mapping, transform).compactMap { $0 }.eraseToAnyPublisher()
  }

  /// Sends the values of publishers that an asynchronous closure creates, one for each value. See ``asyncMap(_:_:)``.
  @_disfavoredOverload
  public func asyncFlatMap<Child: Publisher & Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Child
  ) -> AnyPublisher<Child.Output, Failure> where Child.Failure == Failure {
    asyncFlatten(mapping) { value, priority in
      MorePublishers.AsyncCall<Child, Failure>(priority: priority) { () async throws(Failure) in
        try await transform(value)
      }
      .concatMap { $0 }
    }
  }

  /// Opens each value with the priority with which it arrives, also if it waits for its turn.
  private func asyncFlatten<Child: Publisher>(
    _ mapping: AsyncMapping, _ open: sending @escaping (Output, TaskPriority) -> Child
  ) -> AnyPublisher<Child.Output, Failure> where Child.Failure == Failure {
    let values = map { ($0, Task.currentPriority) }
    return switch mapping {
    case .serial: values.concatMap(waiting: .none, open).eraseToAnyPublisher()
    case .queue: values.concatMap(open).eraseToAnyPublisher()
    case .latest: values.flatMapLatest(open).eraseToAnyPublisher()
    case .first: values.flatMapFirst(open).eraseToAnyPublisher()
    case .concurrent(let count):
      values.flatMap(maxConcurrent: count, waiting: .none, open).eraseToAnyPublisher()
    case .ordered(let count): values.flatMapSequential(maxConcurrent: count, open).eraseToAnyPublisher()
    }
  }
}

extension Publisher where Output: Sendable {
  /// Calls an asynchronous closure for each value, one after another, and a second closure at the end.
  ///
  /// The next value is requested when the closure returns, as with ``AsyncMapping/serial``.
  ///
  /// - Returns: A cancellable that keeps the subscription alive. Releasing it cancels the subscription and the running
  ///   call.
  @_disfavoredOverload
  public func asyncSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void = { _ in },
    receiveValue: @escaping @Sendable (Output) async -> Void
  ) -> AnyCancellable {
    asyncMap { value async throws(Failure) in await receiveValue(value) }
      .sink(receiveCompletion: receiveCompletion, receiveValue: { _ in })
  }
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream of the values of `publisher`, which never fails.
  ///
  /// It subscribes immediately and requests everything. `limit` decides which values are kept. The subscription is
  /// cancelled when the iteration ends.
  @_disfavoredOverload
  public init<Source: Publisher>(
    _ publisher: Source, bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) where Source.Output == Element, Source.Failure == Never {
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: limit)
    let sink = publisher.sink { _ in
      continuation.finish()
    } receiveValue: { value in
      continuation.yield(value)
    }
    continuation.onTermination = { _ in sink.cancel() }
    self = stream
  }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Creates a stream of the values of `publisher`, followed by its failure.
  ///
  /// It subscribes immediately and requests everything. `limit` decides which values are kept. The subscription is
  /// cancelled when the iteration ends.
  @_disfavoredOverload
  public init<Source: Publisher>(
    _ publisher: Source, bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) where Source.Output == Element {
    let (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: limit)
    let sink = publisher.sink { completion in
      switch completion {
      case .finished: continuation.finish()
      case .failure(let error): continuation.finish(throwing: error)
      }
    } receiveValue: { value in
      continuation.yield(value)
    }
    continuation.onTermination = { _ in sink.cancel() }
    self = stream
  }
}
