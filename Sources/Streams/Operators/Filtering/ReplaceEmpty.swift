extension Publisher {
  /// Sends `output` if this publisher finishes without a value, then finishes.
  ///
  /// `output` waits for demand.
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/replaceEmpty(with:)``.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may finish without a value.
    public let upstream: Upstream
    /// The value to send in that case.
    public let output: Upstream.Output

    /// Creates the publisher that `upstream.replaceEmpty(with: output)` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let plan = ReplaceEmptyPlan<Failure, Output>(output)
      upstream.attach(FirstInlet(Concatenation(plan, to: subscriber)))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

@frozen @usableFromInline
struct ReplaceEmptyPlan<First: Error, Output>: ConcatenationPlan {
  @usableFromInline typealias Next = Publishers.SetFailureType<Just<Output>, First>

  @inlinable static var name: String { "ReplaceEmpty" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let output: Output

  @inlinable
  init(_ output: Output) { self.output = output }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    guard case .finished = completion, wasEmpty else { return .end(completion) }
    return .publisher(Publishers.SetFailureType(upstream: Just(output)))
  }
}
