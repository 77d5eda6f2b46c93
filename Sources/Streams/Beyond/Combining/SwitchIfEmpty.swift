extension Publisher {
  /// Sends what `other` sends if this publisher finishes without a value.
  ///
  /// ```
  /// self    ---|
  /// other      -a-b|
  /// result  ----a-b|
  /// ```
  ///
  /// `other` is subscribed to only then, and asked for what was asked for. A failure passes.
  @_disfavoredOverload
  @inlinable
  public func switchIfEmpty<Other: Publisher>(to other: Other) -> MorePublishers.SwitchIfEmpty<Self, Other>
  where Other.Output == Output, Other.Failure == Failure {
    MorePublishers.SwitchIfEmpty(upstream: self, other: other)
  }

  /// Sends `output` if this publisher finishes without a value. The same as ``replaceEmpty(with:)``.
  @_disfavoredOverload
  @inlinable
  public func defaultIfEmpty(_ output: Output) -> Publishers.ReplaceEmpty<Self> { replaceEmpty(with: output) }
}

extension MorePublishers {
  /// The publisher of ``Publisher/switchIfEmpty(to:)``.
  public struct SwitchIfEmpty<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Output == Other.Output, Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may finish without a value.
    public let upstream: Upstream
    /// What is subscribed to then.
    public let other: Other

    /// The same as `upstream.switchIfEmpty(to: other)`.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.attach(FirstLeg(Succession(SwitchIfEmptyPlan(other), to: subscriber)))
    }
  }
}

extension MorePublishers.SwitchIfEmpty: Equatable where Upstream: Equatable, Other: Equatable {}
extension MorePublishers.SwitchIfEmpty: Sendable where Upstream: Sendable, Other: Sendable {}

@frozen @usableFromInline
struct SwitchIfEmptyPlan<Next: Publisher>: Plan {
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
