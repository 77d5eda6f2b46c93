extension Publisher {
  /// Collects all values into an array, and sends it when this publisher finishes. A failure drops the values.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher
  ///   .collect()
  ///   .sink { print($0) }
  /// // Prints [1, 2, 3]
  /// ```
  ///
  /// - Complexity: Keeps all values.
  @inlinable
  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers {
  /// The publisher returned by ``Publisher/collect()``.
  public struct Collect<Upstream: Publisher>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.collect()` returns.
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

  @inlinable var initial: Box<[Input]> { Box([]) }

  @inlinable
  func receive(_ value: Input, _ collected: inout Box<[Input]>) -> FoldEffect {
    collected.value.append(value)
    return .unchanged  // the box is
  }

  @inlinable
  func result(_ collected: Box<[Input]>) -> [Input]? { collected.value }

  @usableFromInline
  func children(_ parts: ReflectedParts<Memory>) -> [Mirror.Child] {
    [("count", parts.memory?.value.count ?? 0)]
  }
}
