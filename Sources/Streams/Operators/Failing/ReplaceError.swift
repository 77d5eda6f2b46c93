extension Publisher {
  /// Replaces a failure with `output`, then finishes.
  ///
  /// ```swift
  /// let cancellable = Fail<Int, URLError>(error: URLError(.timedOut))
  ///   .replaceError(with: 0)
  ///   .sink { print($0) }
  /// // Prints 0
  /// ```
  ///
  /// `output` waits for demand.
  @inlinable
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/replaceError(with:)``.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    /// The publisher whose failure is replaced.
    public let upstream: Upstream
    /// The value that replaces a failure.
    public let output: Upstream.Output

    /// Creates the publisher that `upstream.replaceError(with: output)` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let plan = ReplaceErrorPlan<Upstream.Failure, Output>(output)
      upstream.attach(FirstInlet(Concatenation(plan, to: subscriber)))
    }
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

@frozen @usableFromInline
struct ReplaceErrorPlan<First: Error, Output>: ConcatenationPlan {
  @usableFromInline typealias Next = Just<Output>

  @inlinable static var name: String { "ReplaceError" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }

  @usableFromInline let output: Output

  @inlinable
  init(_ output: Output) { self.output = output }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    switch completion {
    case .finished: .end(.finished)
    case .failure: .publisher(Just(output))
    }
  }
}
