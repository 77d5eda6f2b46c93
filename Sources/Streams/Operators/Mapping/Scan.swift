extension Publisher {
  /// Combines each value with the result so far, and sends each new result.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.scan(10) { $0 + $1 }.sink { print($0) }  // 11 13 16
  /// ```
  @inlinable
  public func scan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines each value with the result so far, and sends each new result; fails if the closure throws.
  @inlinable
  public func tryScan<Result>(
    _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) throws -> Result
  ) -> Publishers.TryScan<Self, Result> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/scan(_:_:)``.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are put together.
    public let upstream: Upstream
    /// What each subscription starts with; not sent.
    public let initialResult: Output
    /// Makes the next result of the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// The same as `upstream.scan(initialResult, nextPartialResult)`.
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

  /// The publisher of ``Publisher/tryScan(_:_:)``.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = any Error

    /// The publisher whose values are put together.
    public let upstream: Upstream
    /// What each subscription starts with; not sent.
    public let initialResult: Output
    /// Makes the next result of the last one and a value; throwing fails the stream.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// The same as `upstream.tryScan(initialResult, nextPartialResult)`.
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
    [("downstream", parts.downstream), ("result", parts.memory as Any)]
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
    [("downstream", parts.downstream), ("status", parts.status), ("result", parts.memory as Any)]
  }
}
