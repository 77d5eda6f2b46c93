extension Publisher {
  /// Drops all values, and sends only the completion.
  ///
  /// Everything is requested from this publisher, whatever the demand of the downstream.
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }
}

extension Publishers {
  /// The publisher returned by ``Publisher/ignoreOutput()``.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    public typealias Output = Never
    public typealias Failure = Upstream.Failure

    /// The publisher whose completion is sent.
    public let upstream: Upstream

    /// Creates the publisher that `upstream.ignoreOutput()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.fold(through: IgnoreFolding(), to: subscriber)
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}
extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}

@frozen @usableFromInline
struct IgnoreFolding<Input>: Folding {
  @inlinable static var name: String { "IgnoreOutput" }
  @inlinable static var zeroDemand: ZeroDemand { .passes }

  @inlinable init() {}

  @inlinable var initial: Void { () }

  @inlinable
  func receive(_: Input, _: inout Void) -> FoldEffect {
    .unchanged
  }

  @inlinable
  func result(_: Void) -> Never? { nil }

  @usableFromInline
  func children(_: ReflectedParts<Memory>) -> [Mirror.Child] { [] }
}
