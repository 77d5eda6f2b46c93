extension Publisher {
  /// Collects values into arrays, each of which ends with a value that satisfies `isLast`.
  ///
  /// ```
  /// self    -1-2-.---3-.----|
  /// result  -----[12.]-[3.]-|      collect { $0 == "." }
  /// ```
  ///
  /// Demand for an array is met with as many values as it needs. Remaining values are sent when this publisher
  /// finishes, and dropped when it fails. A value that `isLast` sends to this publisher follows the one it is called with.
  ///
  /// - Complexity: Keeps the collected values.
  @_disfavoredOverload
  @inlinable
  public func collect(until isLast: @escaping (Output) -> Bool) -> MorePublishers.CollectUntil<Self> {
    MorePublishers.CollectUntil(upstream: self, isLast: isLast)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/collect(until:)``.
  public struct CollectUntil<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream
    /// Whether a value is the last of its array.
    public let isLast: (Upstream.Output) -> Bool

    /// Creates the publisher that `upstream.collect(until: isLast)` returns.
    @inlinable
    public init(upstream: Upstream, isLast: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isLast = isLast
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: CollectUntilStage(isLast), to: subscriber)
    }
  }
}

@frozen @usableFromInline
struct CollectUntilStage<Value>: Stage {
  @inlinable static var name: String { "CollectUntil" }

  @usableFromInline let isLast: (Value) -> Bool

  @inlinable
  init(_ isLast: @escaping (Value) -> Bool) { self.isLast = isLast }

  @inlinable var initial: Box<[Value]> { Box([]) }

  @inlinable
  func remainder(_ collected: Box<[Value]>) -> [Value]? { collected.value.isEmpty ? nil : collected.value }

  @inlinable
  func receive(_ value: Value, _ collected: inout Box<[Value]>) -> Step<[Value]> {
    collected.value.append(value)
    // Inside the closure, a value may arrive that ends the array.
    guard isLast(value), !collected.value.isEmpty else { return .skip }
    let group = collected.value
    collected.value = []
    return .emit(group)
  }
}
