extension Publisher where Failure == Never {
  /// The values of this publisher, to be awaited one after another.
  ///
  /// Each iteration subscribes when it begins, and asks for one value each time one is awaited: what a subject sends
  /// in between is lost; ``values(buffering:)`` keeps it. Cancelling the task, or dropping the iterator, cancels the
  /// subscription. A publisher that lets go of its subscriber, as a subject does that goes, ends the iteration.
  ///
  /// ```swift
  /// for await value in [1, 2].publisher.values { print(value) }  // 1 2
  /// ```
  @inlinable
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher, to be awaited one after another. A failure is thrown once, typed.
  ///
  /// Each iteration subscribes when it begins, and asks for one value each time one is awaited.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that cannot fail, as a sequence.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
  public typealias Element = Upstream.Output

  @usableFromInline let publisher: Upstream

  /// The values of `publisher`.
  @inlinable
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, .prefetching(0))) }

  /// One iteration. Dropping it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let iteration: AsyncIteration<Element, Never>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Never>) { self.iteration = iteration }

    /// The next value; `nil` at the end, or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// The same, without leaving the caller's actor.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      switch await iteration.next(isolation: actor) {
      case .value(let value): value
      case .end: nil
      }
    }
  }
}

/// The values of a publisher that may fail, as a sequence.
public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
  public typealias Element = Upstream.Output
  public typealias Failure = Upstream.Failure

  @usableFromInline let publisher: Upstream

  /// The values of `publisher`.
  @inlinable
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, .prefetching(0))) }

  /// One iteration. Dropping it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Upstream.Failure

    @usableFromInline let iteration: AsyncIteration<Element, Upstream.Failure>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Upstream.Failure>) { self.iteration = iteration }

    /// The next value; `nil` at the end, after a failure was thrown, or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async throws(Upstream.Failure) -> Element? { try await next(isolation: nil) }

    /// The same, without leaving the caller's actor.
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

extension AsyncPublisher: Sendable where Upstream: Sendable {}
extension AsyncThrowingPublisher: Sendable where Upstream: Sendable {}
