extension Publisher {
  /// Collects values into arrays of `count` values. Sends the remaining values when this publisher finishes.
  ///
  /// ```swift
  /// let cancellable = (1...5).publisher
  ///   .collect(2)
  ///   .sink { print($0) }
  /// // Prints [1, 2], [3, 4], [5]
  /// ```
  ///
  /// Each requested array requests `count` values. A failure drops the remaining values. Traps if `count` is not
  /// positive.
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/collect(_:)``.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream
    /// The number of values in an array. The last array can be shorter.
    public let count: Int

    /// Creates the publisher that `upstream.collect(count)` returns.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      guard count > 0 else { Violation.emptyGroup(count) }
      self.upstream = upstream
      self.count = count
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.relay(through: CollectByCountStage(count), to: subscriber)
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct CollectByCountStage<Value>: Stage {
  @inlinable static var name: String { "CollectByCount" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let valuesPerOutput: Int

  @inlinable
  init(_ count: Int) { valuesPerOutput = count }

  @inlinable var initial: Box<[Value]> { Box([]) }

  @inlinable
  func receive(_ value: Value, _ collected: inout Box<[Value]>) -> Step<[Value]> {
    if collected.value.isEmpty { collected.value.reserveCapacity(min(valuesPerOutput, 1_024)) }
    collected.value.append(value)
    guard collected.value.count == valuesPerOutput else { return .hold }
    let group = collected.value
    collected.value = []
    return .emit(group)
  }

  @inlinable
  func remainder(_ collected: Box<[Value]>) -> [Value]? { collected.value.isEmpty ? nil : collected.value }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("upstreamSubscription", parts.upstream as Any),
      ("buffer", parts.memory?.value ?? []), ("count", valuesPerOutput),
    ]
  }
}
