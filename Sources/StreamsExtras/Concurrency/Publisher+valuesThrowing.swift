extension Publisher {
  /// The values of this publisher as an asynchronous sequence that throws the failure once, with its type.
  ///
  /// Each iteration subscribes when it begins, and requests one value each time one is awaited, unless `buffering`
  /// requests more.
  ///
  /// ```swift
  /// do throws(Problem) {
  ///   for try await reading in readings.values(throwing: Problem.self) { sum += reading }
  /// } catch {
  ///   codes.append(error.code)
  /// }
  /// ```
  ///
  /// - Complexity: Keeps as many values as `buffering` allows.
  @_disfavoredOverload
  @inlinable
  public func values(
    throwing _: Failure.Type, buffering: Publishers.AsyncBuffering = .prefetching(0)
  ) -> AsyncTypedPublisher<Self> {
    AsyncTypedPublisher(self, buffering: buffering)
  }
}

/// The values of a publisher as an asynchronous sequence that throws the publisher's own type of failure.
///
/// Iterate over it, or call `next()`. Inside `do`, `try?` and `try!`, the compiler (6.3) crashes on functions that
/// rethrow, such as `first` and `reduce`. Use `AsyncThrowingPublisher` with them.
public struct AsyncTypedPublisher<Upstream: Publisher>: AsyncSequence {
  public typealias Element = Upstream.Output
  public typealias Failure = Upstream.Failure

  @usableFromInline let publisher: Upstream
  @usableFromInline let buffering: Publishers.AsyncBuffering

  /// Creates a sequence that keeps values as `buffering` describes. By default, each value is requested when it is
  /// awaited.
  @inlinable
  public init(_ publisher: Upstream, buffering: Publishers.AsyncBuffering = .prefetching(0)) {
    buffering.requireValid()
    self.publisher = publisher
    self.buffering = buffering
  }

  /// Subscribes to the publisher.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, buffering)) }

  /// One iteration. Releasing it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Upstream.Failure

    @usableFromInline let iteration: AsyncIteration<Element, Upstream.Failure>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Upstream.Failure>) { self.iteration = iteration }

    /// Returns the next value, or `nil` at the end, after a failure was thrown, or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async throws(Upstream.Failure) -> Element? { try await next(isolation: nil) }

    /// Returns the next value without leaving the caller's actor.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Upstream.Failure) -> Element? {
      switch await iteration.next(isolation: actor) {
      case .value(let value): return value
      case .end(let failure?): throw failure
      case .end(nil): return nil
      }
    }
  }
}

extension AsyncTypedPublisher: Sendable where Upstream: Sendable {}
