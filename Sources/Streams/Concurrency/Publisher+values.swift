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

  /// The values of this publisher, to be awaited one after another; those that come in between are kept.
  ///
  /// Each iteration subscribes when it begins. Cancelling the task ends the iteration at once; that, and dropping the
  /// iterator, cancels the subscription.
  ///
  /// ```swift
  /// for await value in subject.values(buffering: .unbounded) { print(value) }
  /// ```
  ///
  /// - Complexity: Keeps as many values as `buffering` says.
  @_disfavoredOverload
  @inlinable
  public func values(buffering: AsyncBuffering) -> AsyncPublisher<Self> {
    AsyncPublisher(self, buffering: buffering)
  }
}

extension Publisher {
  /// The values of this publisher, to be awaited one after another. A failure is thrown once.
  ///
  /// Each iteration subscribes when it begins, and asks for one value each time one is awaited. To the compiler any error
  /// may be thrown; ``values(throwing:buffering:)`` keeps the type of the failure.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }

  /// The values of this publisher, to be awaited one after another; those that come in between are kept.
  ///
  /// Each iteration subscribes when it begins. A failure is thrown once, after the values that were kept. Cancelling the
  /// task ends the iteration at once; that, and dropping the iterator, cancels the subscription.
  ///
  /// - Complexity: Keeps as many values as `buffering` says.
  @_disfavoredOverload
  @inlinable
  public func values(buffering: AsyncBuffering) -> AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self, buffering: buffering)
  }
}

/// The values of a publisher that cannot fail, as a sequence.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
  public typealias Element = Upstream.Output

  @usableFromInline let publisher: Upstream
  @usableFromInline let buffering: AsyncBuffering

  /// The values of `publisher`, each asked for when it is awaited.
  @inlinable
  public init(_ publisher: Upstream) {
    self.publisher = publisher
    buffering = .prefetching(0)
  }

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
///
/// It may throw any error, though it throws the publisher's only: functions that rethrow, as `first` and `reduce` do, are
/// called with a typed failure in a way that the compiler (6.3) does not survive. See ``AsyncTypedPublisher``.
public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
  public typealias Element = Upstream.Output
  public typealias Failure = any Error

  @usableFromInline let publisher: Upstream
  @usableFromInline let buffering: AsyncBuffering

  /// The values of `publisher`, each asked for when it is awaited.
  @inlinable
  public init(_ publisher: Upstream) {
    self.publisher = publisher
    buffering = .prefetching(0)
  }

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
    public typealias Failure = any Error

    @usableFromInline let iteration: AsyncIteration<Element, Upstream.Failure>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Upstream.Failure>) { self.iteration = iteration }

    /// The next value; `nil` at the end, after a failure was thrown, or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The same, without leaving the caller's actor.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Element? {
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
