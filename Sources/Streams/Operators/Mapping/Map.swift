extension Publisher {
  /// Sends each value through `transform`.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }  // 10 20 30
  /// ```
  ///
  /// Has no state: demand, cancellation and completion pass straight through.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Self, Result> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Sends each value through `transform`; fails if `transform` throws, and cancels upstream.
  @inlinable
  public func tryMap<Result>(_ transform: @escaping (Output) throws -> Result)
    -> Publishers.TryMap<Self, Result>
  {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher of `map(_:)`.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// Makes what is sent of a value.
    public let transform: (Upstream.Output) -> Output

    /// The same as `upstream.map(transform)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(MapPass(transform, subscriber))
    }
  }

  /// The publisher of ``Publisher/tryMap(_:)``.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// Makes what is sent of a value; throwing fails the stream.
    public let transform: (Upstream.Output) throws -> Output

    /// The same as `upstream.tryMap(transform)`.
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
  /// One stage instead of two.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.Map<Upstream, Result> {
    let first = self.transform
    return Publishers.Map<Upstream, Result>(upstream: upstream) { transform(first($0)) }
  }

  /// One stage instead of two.
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap {
  /// One stage instead of two.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }

  /// One stage instead of two.
  @inlinable
  public func tryMap<Result>(
    _ transform: @escaping (Output) throws -> Result
  ) -> Publishers.TryMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryMap<Upstream, Result>(upstream: upstream) { try transform(first($0)) }
  }
}

@frozen @usableFromInline
struct MapPass<Input, Downstream: Subscriber>: Pass {
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

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
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
