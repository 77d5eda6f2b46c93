extension Publisher {
  /// The values of this publisher, to be awaited one after another; those that come in between are kept.
  ///
  /// Each iteration subscribes when it begins. A failure is thrown once, typed, after the values that were kept.
  /// Cancelling the task ends the iteration at once; that, and dropping the iterator, cancels the subscription.
  ///
  /// ```swift
  /// for await value in subject.values(buffering: .unbounded) { print(value) }
  /// ```
  ///
  /// - Complexity: Keeps as many values as `buffering` says.
  public func values(buffering: AsyncBuffering) -> AsyncBufferedPublisher<Self> {
    AsyncBufferedPublisher(self, buffering: buffering)
  }
}

/// The values of a publisher as a sequence that keeps those for which nobody waits.
public struct AsyncBufferedPublisher<Upstream: Publisher>: AsyncSequence {
  public typealias Element = Upstream.Output
  public typealias Failure = Upstream.Failure

  @usableFromInline let publisher: Upstream
  @usableFromInline let buffering: AsyncBuffering

  /// The values of `publisher`, kept as `buffering` says.
  @inlinable
  public init(_ publisher: Upstream, buffering: AsyncBuffering) {
    buffering.requireValid()
    self.publisher = publisher
    self.buffering = buffering
  }

  /// Subscribes.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, buffering)) }

  /// One iteration. Dropping it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Upstream.Failure

    @usableFromInline let iteration: AsyncIteration<Element, Upstream.Failure>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Upstream.Failure>) { self.iteration = iteration }

    /// The next value; `nil` at the end, after a failure was thrown, or once the task is cancelled.
    public mutating func next() async throws(Upstream.Failure) -> Element? { try await next(isolation: nil) }

    /// The same, without leaving the caller's actor.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Upstream.Failure) -> Element? {
      switch await iteration.next(isolation: actor) {
      case .value(let value): return value
      case .end(let failure?): throw failure
      case .end(nil): return nil
      }
    }
  }
}

extension AsyncBufferedPublisher: Sendable where Upstream: Sendable {}
