extension Publisher {
  /// Sends each value through `transform`, and leaves out what becomes `nil`.
  ///
  /// ```swift
  /// ["1", "x", "3"].publisher.compactMap { Int($0) }.sink { print($0) }  // 1 3
  /// ```
  ///
  /// Has no state: demand, cancellation and completion pass straight through, and another value is asked for in
  /// place of one that is left out.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?)
    -> Publishers.CompactMap<Self, Result>
  {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Sends each value through `transform`, and leaves out what becomes `nil`; fails if `transform` throws.
  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> Publishers.TryCompactMap<Self, Result> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/compactMap(_:)``.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// Makes what is sent of a value; `nil` sends nothing.
    public let transform: (Upstream.Output) -> Output?

    /// The same as `upstream.compactMap(transform)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(CompactMapPass(transform, subscriber))
    }
  }

  /// The publisher of ``Publisher/tryCompactMap(_:)``.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// Makes what is sent of a value; `nil` sends nothing, throwing fails the stream.
    public let transform: (Upstream.Output) throws -> Output?

    /// The same as `upstream.tryCompactMap(transform)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryCompactMapStage(transform), to: subscriber)
    }
  }
}

extension Publishers.CompactMap {
  /// One stage instead of two.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) -> Result?
  ) -> Publishers.CompactMap<Upstream, Result> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// One stage instead of two.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result)
    -> Publishers.CompactMap<Upstream, Result>
  {
    let first = self.transform
    return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).map(transform) }
  }
}

extension Publishers.TryCompactMap {
  /// One stage instead of two.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> Publishers.TryCompactMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, Result>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

@frozen @usableFromInline
struct CompactMapPass<Input, Downstream: Subscriber>: Pass {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let transform: (Input) -> Downstream.Input?
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ transform: @escaping (Input) -> Downstream.Input?, _ downstream: Downstream) {
    self.transform = transform
    self.downstream = downstream
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if let output = transform(input) { downstream.receive(output) } else { .max(1) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

@frozen @usableFromInline
struct TryCompactMapStage<Input, Output>: Stage {
  @inlinable static var name: String { "TryCompactMap" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let transform: (Input) throws -> Output?

  @inlinable
  init(_ transform: @escaping (Input) throws -> Output?) { self.transform = transform }

  @inlinable
  func receive(_ value: Input, _: inout Void) throws -> Step<Output> {
    if let output = try transform(value) { .emit(output) } else { .skip }
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] { [("downstream", parts.downstream)] }
}
