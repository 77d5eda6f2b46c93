extension Publisher {
  /// Transforms each value with a closure, and drops `nil`.
  ///
  /// ```swift
  /// let cancellable = ["1", "x", "3"].publisher
  ///   .compactMap { Int($0) }
  ///   .sink { print($0) }
  /// // Prints 1, 3
  /// ```
  ///
  /// Stateless: demand, cancellation and completion pass unchanged. One more value is requested for each value that is
  /// dropped.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Output) -> Result?)
    -> Publishers.CompactMap<Self, Result>
  {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Transforms each value with a throwing closure, and drops `nil`. The stream fails if the closure throws.
  @inlinable
  public func tryCompactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> Publishers.TryCompactMap<Self, Result> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/compactMap(_:)``.
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// The closure that transforms a value. `nil` drops it.
    public let transform: (Upstream.Output) -> Output?

    /// Creates the publisher that `upstream.compactMap(transform)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(CompactMapSubscriber(transform, subscriber))
    }
  }

  /// The publisher returned by `tryCompactMap(_:)`.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are transformed.
    public let upstream: Upstream
    /// The closure that transforms a value. `nil` drops it, and an error fails the stream.
    public let transform: (Upstream.Output) throws -> Output?

    /// Creates the publisher that `upstream.tryCompactMap(transform)` returns.
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
  /// Transforms each value once more and drops `nil`, in the same stage.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) -> Result?
  ) -> Publishers.CompactMap<Upstream, Result> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Transforms each value once more, in the same stage.
  @inlinable
  public func map<Result>(_ transform: @escaping (Output) -> Result)
    -> Publishers.CompactMap<Upstream, Result>
  {
    let first = self.transform
    return Publishers.CompactMap<Upstream, Result>(upstream: upstream) { first($0).map(transform) }
  }
}

extension Publishers.TryCompactMap {
  /// Transforms each value once more with a throwing closure and drops `nil`, in the same stage.
  @inlinable
  public func compactMap<Result>(
    _ transform: @escaping (Output) throws -> Result?
  ) -> Publishers.TryCompactMap<Upstream, Result> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, Result>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

@frozen @usableFromInline
struct CompactMapSubscriber<Input, Downstream: Subscriber>: StatelessSubscriber {
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
