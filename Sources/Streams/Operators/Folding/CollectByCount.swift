extension Publisher {
  /// Collects values, and sends them as arrays of `count`; what is left is sent when upstream finishes.
  ///
  /// Each array that is asked for asks upstream for `count` values. A failure throws away what is left. Traps if
  /// `count` is not positive.
  ///
  /// ```swift
  /// (1...5).publisher.collect(2).sink { print($0) }  // [1, 2] [3, 4] [5]
  /// ```
  @inlinable
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/collect(_:)``.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are gathered.
    public let upstream: Upstream
    /// How many values an array has; the last may have fewer.
    public let count: Int

    /// The same as `upstream.collect(count)`.
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

  @inlinable var initial: Pocket<[Value]> { Pocket([]) }

  @inlinable
  func receive(_ value: Value, _ collected: inout Pocket<[Value]>) -> Step<[Value]> {
    if collected.value.isEmpty { collected.value.reserveCapacity(min(valuesPerOutput, 1_024)) }
    collected.value.append(value)
    guard collected.value.count == valuesPerOutput else { return .hold }
    let group = collected.value
    collected.value = []
    return .emit(group)
  }

  @inlinable
  func remainder(_ collected: Pocket<[Value]>) -> [Value]? { collected.value.isEmpty ? nil : collected.value }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [
      ("downstream", parts.downstream), ("upstreamSubscription", parts.upstream as Any),
      ("buffer", parts.memory?.value ?? []), ("count", valuesPerOutput),
    ]
  }
}
