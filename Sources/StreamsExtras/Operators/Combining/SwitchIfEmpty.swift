extension Publisher {
  /// Sends the values of `other` if this publisher finishes without a value.
  ///
  /// ![Marble diagram of switch-if-empty](switch-if-empty.svg)
  ///
  /// `other` is subscribed to when this publisher has finished, and receives its demand. A failure passes unchanged.
  @_disfavoredOverload
  @inlinable
  public func switchIfEmpty<Other: Publisher>(to other: Other) -> MorePublishers.SwitchIfEmpty<Self, Other>
  where Other.Output == Output, Other.Failure == Failure {
    MorePublishers.SwitchIfEmpty(upstream: self, other: other)
  }

  /// Sends `output` if this publisher finishes without a value. The same as `replaceEmpty(with:)`.
  @_disfavoredOverload
  @inlinable
  public func defaultIfEmpty(_ output: Output) -> Publishers.ReplaceEmpty<Self> { replaceEmpty(with: output) }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/switchIfEmpty(to:)``.
  public struct SwitchIfEmpty<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Output == Other.Output, Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may finish without a value.
    public let upstream: Upstream
    /// The publisher that is subscribed to in that case.
    public let other: Other

    /// Creates the publisher that `upstream.switchIfEmpty(to: other)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(FirstInlet(Concatenation(SwitchIfEmptyPlan(other), to: subscriber)))
    }
  }
}

extension MorePublishers.SwitchIfEmpty: Equatable where Upstream: Equatable, Other: Equatable {}
extension MorePublishers.SwitchIfEmpty: Sendable where Upstream: Sendable, Other: Sendable {}

@frozen @usableFromInline
struct SwitchIfEmptyPlan<Next: Publisher>: ConcatenationPlan {
  @usableFromInline typealias First = Next.Failure

  @inlinable static var name: String { "SwitchIfEmpty" }
  @inlinable static var zeroDemand: ZeroDemand { .passes }

  @usableFromInline let other: Next

  @inlinable
  init(_ other: Next) { self.other = other }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    if case .finished = completion, wasEmpty { .publisher(other) } else { .end(completion) }
  }
}
