extension Publisher {
  /// Combines all values into one result, and sends it when this publisher finishes.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .reduce(0) { sum, number in sum + number }
  ///   .sink { print($0) }
  /// // Prints 6
  /// ```
  @inlinable
  public func reduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Publishers.Reduce<Self, Result> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines all values into one result with a throwing closure. The stream fails if it throws.
  @inlinable
  public func tryReduce<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> Publishers.TryReduce<Self, Result> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/reduce(_:_:)``.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are combined.
    public let upstream: Upstream
    /// The initial result of each subscription.
    public let initial: Output
    /// The closure that combines the previous result and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates the publisher that `upstream.reduce(initial, nextPartialResult)` returns.
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

  /// The publisher returned by `tryReduce(_:_:)`.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are combined.
    public let upstream: Upstream
    /// The initial result of each subscription.
    public let initial: Output
    /// The closure that combines the previous result and a value. An error that it throws is the failure of the stream.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates the publisher that `upstream.tryReduce(initial, nextPartialResult)` returns.
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
      upstream.fold(through: TryReduceFolding(initial, nextPartialResult), to: subscriber)
    }
  }
}

/// Does not share a type with its throwing twin: a closure of either kind would be called through a thunk, each time.
@frozen @usableFromInline
struct ReduceFolding<Input, Output>: Folding {
  @inlinable static var name: String { "Reduce" }

  @usableFromInline let initial: Output
  @usableFromInline let next: (Output, Input) -> Output

  @inlinable
  init(_ initial: Output, _ next: @escaping (Output, Input) -> Output) {
    self.initial = initial
    self.next = next
  }

  @inlinable
  func receive(_ value: Input, _ memory: inout Output) -> FoldEffect {
    memory = next(memory, value)
    return .changed
  }

  @inlinable
  func result(_ memory: Output) -> Output? { memory }
}

@frozen @usableFromInline
struct TryReduceFolding<Input, Output>: Folding {
  @inlinable static var name: String { "TryReduce" }

  @usableFromInline let initial: Output
  @usableFromInline let next: (Output, Input) throws -> Output

  @inlinable
  init(_ initial: Output, _ next: @escaping (Output, Input) throws -> Output) {
    self.initial = initial
    self.next = next
  }

  @inlinable
  func receive(_ value: Input, _ memory: inout Output) throws -> FoldEffect {
    memory = try next(memory, value)
    return .changed
  }

  @inlinable
  func result(_ memory: Output) -> Output? { memory }
}
