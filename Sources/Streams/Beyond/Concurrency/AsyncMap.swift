/// What becomes of a value while the asynchronous closure is at work on another. See ``Publisher/asyncMap(_:_:)``.
public enum AsyncMapping: Hashable, Sendable {
  /// It waits; results come in the order of the values. One value is asked for at a time, so nothing piles up unless
  /// this publisher ignores demand: then what comes meanwhile is lost. To keep it, use ``queue``.
  case serial
  /// It waits, however many there are; results come in the order of the values.
  case queue
  /// It cancels what is at work.
  case latest
  /// It is dropped.
  case first
  /// So many are worked on at once; results come as they are ready. The rest is asked for as there is room.
  case concurrent(Int)
  /// So many are worked on at once; results come in the order of the values.
  case ordered(Int)
}

extension Publisher where Output: Sendable {
  /// Sends what an asynchronous closure makes of each value.
  ///
  /// ```
  /// self    -1----2------3-|
  /// result  ----a---b-------c|     asyncMap(.serial)
  /// ```
  ///
  /// Each call is a task, cancelled with the subscription. What it throws ends the stream. The stream finishes when this
  /// publisher has finished and nothing is at work.
  @_disfavoredOverload
  public func asyncMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result
  ) -> AnyPublisher<Result, Failure> {
    asyncFlatten(mapping) { value in
      MorePublishers.AsyncCall<Result, Failure> { () async throws(Failure) in try await transform(value) }
    }
  }

  /// The same for a closure that may throw anything.
  @_disfavoredOverload
  public func tryAsyncMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial, _ transform: @escaping @Sendable (Output) async throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    mapError { $0 as any Error }.asyncFlatten(mapping) { value in
      MorePublishers.AsyncCall<Result, any Error> { try await transform(value) }
    }
  }

  /// Sends the results of an asynchronous closure that are not `nil`.
  @_disfavoredOverload
  public func asyncCompactMap<Result: Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result?
  ) -> AnyPublisher<Result, Failure> {
    asyncMap(mapping, transform).compactMap { $0 }.eraseToAnyPublisher()
  }

  /// Awaits a publisher for each value, and passes on what it sends. See ``asyncMap(_:_:)``.
  @_disfavoredOverload
  public func asyncFlatMap<Child: Publisher & Sendable>(
    _ mapping: AsyncMapping = .serial,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Child
  ) -> AnyPublisher<Child.Output, Failure> where Child.Failure == Failure {
    asyncFlatten(mapping) { value in
      MorePublishers.AsyncCall<Child, Failure> { () async throws(Failure) in try await transform(value) }
        .concatMap { $0 }
    }
  }

  private func asyncFlatten<Child: Publisher>(
    _ mapping: AsyncMapping, _ open: @escaping (Output) -> Child
  ) -> AnyPublisher<Child.Output, Failure> where Child.Failure == Failure {
    switch mapping {
    case .serial: concatMap(waiting: .none, open).eraseToAnyPublisher()
    case .queue: concatMap(open).eraseToAnyPublisher()
    case .latest: flatMapLatest(open).eraseToAnyPublisher()
    case .first: flatMapFirst(open).eraseToAnyPublisher()
    case .concurrent(let count):
      flatMap(maxConcurrent: count, waiting: .none, open).eraseToAnyPublisher()
    case .ordered(let count): flatMapSequential(maxConcurrent: count, open).eraseToAnyPublisher()
    }
  }
}

extension Publisher where Output: Sendable {
  /// Awaits an asynchronous closure for each value, one after another, and then hears of the end.
  ///
  /// The next value is asked for when the closure has returned: nothing piles up.
  ///
  /// - Returns: What keeps the subscription alive: dropping it cancels, and with it what is at work.
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
  /// The values of `publisher`, asked for at once and kept as `limit` says. It subscribes now, and cancels when nobody
  /// iterates any more.
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
  /// The values of `publisher`, asked for at once and kept as `limit` says; then its failure, if it fails.
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
