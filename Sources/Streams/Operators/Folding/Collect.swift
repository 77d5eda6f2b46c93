extension Publisher {
  /// Sends all values as one array, at the end. A failure throws them away.
  ///
  /// ```swift
  /// [1, 2].publisher.collect().sink { print($0) }  // [1, 2]
  /// ```
  ///
  /// - Complexity: Keeps every value until the end.
  @inlinable
  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers {
  /// The publisher of ``Publisher/collect()``.
  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are gathered.
    public let upstream: Upstream

    /// The same as `upstream.collect()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: CollectFolding(), to: subscriber)
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.Collect: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct CollectFolding<Input>: Folding {
  @inlinable static var name: String { "Collect" }

  @inlinable init() {}

  @inlinable var initial: Pocket<[Input]> { Pocket([]) }

  @inlinable
  func receive(_ value: Input, _ collected: inout Pocket<[Input]>) -> Bool {
    collected.value.append(value)
    return false
  }

  @inlinable
  func result(_ collected: Pocket<[Input]>) -> [Input]? { collected.value }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("count", parts.memory?.value.count ?? 0)]
  }
}
