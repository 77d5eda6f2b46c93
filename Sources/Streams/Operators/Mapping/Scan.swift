extension Publisher {
  /// Combines each value with the previous result, and sends each new result.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .scan(0) { sum, number in sum + number }
  ///   .sink { print($0) }
  /// // Prints 1, 3, 6
  /// ```
  @inlinable
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines each value with the previous result, using a throwing closure. The stream fails if it throws.
  @inlinable
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> Publishers.TryScan<Self, Result> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/scan(_:_:)``.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are combined.
    public let upstream: Upstream
    /// The initial result of each subscription. It is not sent.
    public let initialResult: Output
    /// The closure that combines the previous result and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Creates the publisher that `upstream.scan(initialResult, nextPartialResult)` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: ScanStage(initialResult, nextPartialResult), to: subscriber)
    }
  }

  /// The publisher returned by `tryScan(_:_:)`.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are combined.
    public let upstream: Upstream
    /// The initial result of each subscription. It is not sent.
    public let initialResult: Output
    /// The closure that combines the previous result and a value. An error that it throws is the failure of the stream.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Creates the publisher that `upstream.tryScan(initialResult, nextPartialResult)` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: TryScanStage(initialResult, nextPartialResult), to: subscriber)
    }
  }
}

/// Does not share a type with its throwing twin: a closure of either kind would be called through a thunk, each time.
@frozen @usableFromInline
struct ScanStage<Input, Output>: Stage {
  @inlinable static var name: String { "Scan" }

  @usableFromInline let initial: Output
  @usableFromInline let next: (Output, Input) -> Output

  @inlinable
  init(_ initial: Output, _ next: @escaping (Output, Input) -> Output) {
    self.initial = initial
    self.next = next
  }

  @inlinable
  func receive(_ value: Input, _ result: inout Output) -> Step<Output> {
    result = next(result, value)
    return .emit(result)
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("downstream", parts.downstream), ("result", (parts.memory as Any?) ?? "nil")]
  }
}

@frozen @usableFromInline
struct TryScanStage<Input, Output>: Stage {
  @inlinable static var name: String { "TryScan" }

  @usableFromInline let initial: Output
  @usableFromInline let next: (Output, Input) throws -> Output

  @inlinable
  init(_ initial: Output, _ next: @escaping (Output, Input) throws -> Output) {
    self.initial = initial
    self.next = next
  }

  @inlinable
  func receive(_ value: Input, _ result: inout Output) throws -> Step<Output> {
    result = try next(result, value)
    return .emit(result)
  }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("downstream", parts.downstream), ("status", parts.status), ("result", (parts.memory as Any?) ?? "nil")]
  }
}
