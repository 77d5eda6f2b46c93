extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence, for publishers that never fail.
  ///
  /// ```swift
  /// for await number in [1, 2, 3].publisher.values {
  ///   print(number)
  /// }
  /// // Prints 1, 2, 3
  /// ```
  ///
  /// Each iteration subscribes when it begins, and requests one value each time one is awaited. Values that a
  /// ``PassthroughSubject`` sends in between are lost. `values(buffering:)` of StreamsExtras keeps them. Awaiting a value
  /// in a cancelled task, or releasing the iterator, cancels the subscription. A subject that is deallocated ends the
  /// iteration.
  @inlinable
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher as an asynchronous sequence that throws the failure once.
  ///
  /// Each iteration subscribes when it begins, and requests one value each time one is awaited. The sequence is
  /// declared to throw any error. `values(throwing:buffering:)` of StreamsExtras keeps the type of the failure.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that never fails, as an asynchronous sequence.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  public typealias Element = P.Output

  @usableFromInline let publisher: P
  @usableFromInline let buffering: Publishers.AsyncBuffering

  /// Creates a sequence that requests each value when it is awaited.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
    buffering = .prefetching(0)
  }

  /// Creates a sequence that keeps values as `buffering` describes.
  @inlinable
  package init(_ publisher: P, buffering: Publishers.AsyncBuffering) {
    buffering.requireValid()
    self.publisher = publisher
    self.buffering = buffering
  }

  /// Subscribes to the publisher.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, buffering)) }

  /// One iteration. Releasing it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let iteration: AsyncIteration<Element, Never>

    @inlinable
    init(_ iteration: AsyncIteration<Element, Never>) { self.iteration = iteration }

    /// Returns the next value, or `nil` at the end or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async -> Element? { await next(isolation: nil) }

    /// Returns the next value without leaving the caller's actor.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      switch await iteration.next(isolation: actor) {
      case .value(let value): value
      case .end: nil
      }
    }
  }
}

/// The values of a publisher that can fail, as an asynchronous sequence.
///
/// It throws only the failure of the publisher, but is declared to throw any error. The compiler (6.3) can crash on
/// functions that rethrow, such as `first` and `reduce`, if the error is typed. See `AsyncTypedPublisher` of StreamsExtras.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  public typealias Element = P.Output
  public typealias Failure = any Error

  @usableFromInline let publisher: P
  @usableFromInline let buffering: Publishers.AsyncBuffering

  /// Creates a sequence that requests each value when it is awaited.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
    buffering = .prefetching(0)
  }

  /// Creates a sequence that keeps values as `buffering` describes.
  @inlinable
  package init(_ publisher: P, buffering: Publishers.AsyncBuffering) {
    buffering.requireValid()
    self.publisher = publisher
    self.buffering = buffering
  }

  /// Subscribes to the publisher.
  @inlinable
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncIteration(publisher, buffering)) }

  /// One iteration. Releasing it cancels the subscription.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = any Error

    @usableFromInline let iteration: AsyncIteration<Element, P.Failure>

    @inlinable
    init(_ iteration: AsyncIteration<Element, P.Failure>) { self.iteration = iteration }

    /// Returns the next value, or `nil` at the end, after a failure was thrown, or once the task is cancelled.
    @inlinable
    @_disfavoredOverload  // what is written `next()` shall stay on the caller's actor, too
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// Returns the next value without leaving the caller's actor.
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

extension AsyncPublisher: Sendable where P: Sendable {}
extension AsyncThrowingPublisher: Sendable where P: Sendable {}
