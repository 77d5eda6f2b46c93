extension Publisher where Output: Comparable {
  /// Sends the minimum when this publisher finishes, for comparable values. Of equal values, the first.
  @inlinable
  public func min() -> Publishers.Comparison<Self> { min(by: <) }

  /// Sends the maximum when this publisher finishes, for comparable values. Of equal values, the first.
  @inlinable
  public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publisher {
  /// Sends the minimum by an order when this publisher finishes. Of equal values, the first.
  @inlinable
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Sends the maximum by an order when this publisher finishes. Of equal values, the first.
  @inlinable
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Sends the minimum by a throwing order. The stream fails if the closure throws.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }

  /// Sends the maximum by a throwing order. The stream fails if the closure throws.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/min(by:)`` and ``Publisher/max(by:)``.
  public struct Comparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are compared.
    public let upstream: Upstream
    /// Whether the first value is ordered before the second. The value that is ordered last is sent.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.max(by: areInIncreasingOrder)` returns.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: ComparisonFolding(areInIncreasingOrder), to: subscriber)
    }
  }

  /// The publisher returned by `tryMin(by:)` and `tryMax(by:)`.
  public struct TryComparison<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose values are compared.
    public let upstream: Upstream
    /// Whether the first value is ordered before the second. An error that it throws is the failure of the stream.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates the publisher that `upstream.tryMax(by: areInIncreasingOrder)` returns.
    @inlinable
    public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: ComparisonFolding(areInIncreasingOrder), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct ComparisonFolding<Value, Thrown: Error>: Folding {
  @inlinable static var name: String { Thrown.self == Never.self ? "Comparison" : "TryComparison" }

  @usableFromInline let isLess: (Value, Value) throws(Thrown) -> Bool

  @inlinable
  init(_ isLess: @escaping (Value, Value) throws(Thrown) -> Bool) {
    self.isLess = isLess
  }

  @inlinable var initial: Value? { nil }

  @inlinable
  func receive(_ value: Value, _ memory: inout Value?) throws(Thrown) -> FoldEffect {
    if let kept = memory, try !isLess(kept, value) { return .unchanged }
    memory = value
    return .changed
  }

  @inlinable
  func result(_ memory: Value?) -> Value? { memory }
}
