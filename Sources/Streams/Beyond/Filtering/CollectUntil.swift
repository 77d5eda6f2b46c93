extension Publisher {
  /// Sends what has come as an array whenever a value satisfies `isLast`, which is part of it.
  ///
  /// ```
  /// self    -1-2-.---3-.----|
  /// result  -----[12.]-[3.]-|      collect { $0 == "." }
  /// ```
  ///
  /// An array counts as one value: as many are asked for as it takes. What is left is sent when this publisher finishes,
  /// and thrown away when it fails.
  ///
  /// - Complexity: Keeps what is collected.
  @_disfavoredOverload
  @inlinable
  public func collect(until isLast: @escaping (Output) -> Bool) -> MorePublishers.CollectUntil<Self> {
    MorePublishers.CollectUntil(upstream: self, isLast: isLast)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/collect(until:)``.
  public struct CollectUntil<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are gathered.
    public let upstream: Upstream
    /// Whether a value is the last of its array.
    public let isLast: (Upstream.Output) -> Bool

    /// The same as `upstream.collect(until: isLast)`.
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

  @inlinable var initial: Pocket<[Value]> { Pocket([]) }

  @inlinable
  func remainder(_ collected: Pocket<[Value]>) -> [Value]? { collected.value.isEmpty ? nil : collected.value }

  @inlinable
  func receive(_ value: Value, _ collected: inout Pocket<[Value]>) -> Step<[Value]> {
    collected.value.append(value)
    guard isLast(value) else { return .skip }
    let group = collected.value
    collected.value = []
    return .emit(group)
  }
}
