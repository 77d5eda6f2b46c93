extension Publisher {
  /// Transforms each value with a closure.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .map { $0 * 10 }
  ///   .sink { print($0) }
  /// // Prints 10, 20, 30
  /// ```
  ///
  /// Stateless: demand, cancellation and completion pass unchanged.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Self, Result> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Transforms each value with a throwing closure. If it throws, the stream fails and the upstream is cancelled.
  ///
  /// ```swift
  /// struct NotANumber: Error {}
  /// let cancellable = ["1", "x"].publisher
  ///   .tryMap { text in
  ///     guard let number = Int(text) else { throw NotANumber() }
  ///     return number
  ///   }
  ///   .sink(receiveCompletion: { _ in print("failed") }, receiveValue: { print($0) })
  /// // Prints 1, failed
  /// ```
  @inlinable
  public func tryMap<Result>(_ transform: @escaping (Output) throws -> Result)
    -> Publishers.TryMap<Self, Result>
  {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher returned by `map(_:)`.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// The closure that transforms a value.
    public let transform: (Upstream.Output) -> Output

    /// Creates the publisher that `upstream.map(transform)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(MapSubscriber(transform, subscriber))
    }
  }

  /// The publisher returned by `tryMap(_:)`.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// The closure that transforms a value. An error that it throws is the failure of the stream.
    public let transform: (Upstream.Output) throws -> Output

    /// Creates the publisher that `upstream.tryMap(transform)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryMapStage(transform), to: subscriber)
    }
  }
}

extension Publishers.Map {
  /// Transforms each value once more, in the same stage.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Upstream, Result> {
    let first = self.transform
    return Publishers.Map<Upstream, Result>(upstream: upstream) { transform(first($0)) }
  }

  /// Transforms each value once more with a throwing closure, in the same stage.
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap {
  /// Transforms each value once more, in the same stage.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }

  /// Transforms each value once more with a throwing closure, in the same stage.
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }
}

@frozen @usableFromInline
struct MapSubscriber<Input, Downstream: Subscriber>: StatelessSubscriber {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let transform: (Input) -> Downstream.Input
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ transform: @escaping (Input) -> Downstream.Input, _ downstream: Downstream) {
    self.transform = transform
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
}

@frozen @usableFromInline
struct TryMapStage<Input, Output>: Stage {
  @inlinable static var name: String { "TryMap" }

  @usableFromInline let transform: (Input) throws -> Output

  @inlinable
  init(_ transform: @escaping (Input) throws -> Output) { self.transform = transform }

  @inlinable
  func receive(_ value: Input, _: inout Void) throws -> Step<Output> { .emit(try transform(value)) }
}
