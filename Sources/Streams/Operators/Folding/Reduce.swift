extension Publisher {
  /// Combines all values with `initialResult`, and sends the result at the end.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.reduce(0, +).sink { print($0) }  // 6
  /// ```
  @inlinable
  public func reduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Publishers.Reduce<Self, Result> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines all values with `initialResult`; fails if the closure throws.
  @inlinable
  public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> Publishers.TryReduce<Self, Result> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/reduce(_:_:)``.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are put together.
    public let upstream: Upstream
    /// What each subscription starts with.
    public let initial: Output
    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// The same as `upstream.reduce(initial, nextPartialResult)`.
    @inlinable
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: ReduceFolding(initial, nextPartialResult), to: subscriber)
    }
  }

  /// The publisher of ``Publisher/tryReduce(_:_:)``.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are put together.
    public let upstream: Upstream
    /// What each subscription starts with.
    public let initial: Output
    /// Makes the next result of the last one and a value; throwing fails the stream.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// The same as `upstream.tryReduce(initial, nextPartialResult)`.
    @inlinable
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: ReduceFolding(initial, nextPartialResult), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct ReduceFolding<Input, Output, Thrown: Error>: Folding {
  @inlinable static var name: String { Thrown.self == Never.self ? "Reduce" : "TryReduce" }

  @usableFromInline let initial: Output
  @usableFromInline let next: (Output, Input) throws(Thrown) -> Output

  @inlinable
  init(_ initial: Output, _ next: @escaping (Output, Input) throws(Thrown) -> Output) {
    self.initial = initial
    self.next = next
  }

  @inlinable
  func receive(_ value: Input, _ memory: inout Output) throws(Thrown) -> Bool {
    memory = try next(memory, value)
    return false
  }

  @inlinable
  func result(_ memory: Output) -> Output? { memory }
}
