extension Publisher {
  /// Sends the number of values when this publisher finishes.
  @inlinable
  public func count() -> Publishers.Count<Self> { Publishers.Count(upstream: self) }
}

extension Publishers {
  /// The publisher returned by ``Publisher/count()``.
  public struct Count<Upstream: Publisher>: Publisher {
    public typealias Output = Int
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are counted.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.count()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: CountFolding(), to: subscriber)
    }
  }
}

extension Publishers.Count: Equatable where Upstream: Equatable {}
extension Publishers.Count: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct CountFolding<Input>: Folding {
  @inlinable static var name: String { "Count" }

  @inlinable init() {}

  @inlinable var initial: Int { 0 }

  @inlinable
  func receive(_: Input, _ memory: inout Int) -> FoldEffect {
    memory += 1
    return .changed
  }

  @inlinable
  func result(_ memory: Int) -> Int? { memory }
}
