extension Publisher {
  /// Replaces a failure with the values of another publisher.
  ///
  /// ![Marble diagram of catch](catch.svg)
  ///
  /// ```swift
  /// let cancellable = Fail<Int, URLError>(error: URLError(.timedOut))
  ///   .catch { _ in [1, 2].publisher }
  ///   .sink { print($0) }
  /// // Prints 1, 2
  /// ```
  ///
  /// `handler` is called when this publisher fails. The publisher that it returns receives the remaining demand.
  @inlinable
  public func `catch`<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) -> NewPublisher
  ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Replaces a failure with the values of another publisher, or with the error that `handler` throws.
  ///
  /// ![Marble diagram of catch](catch.svg)
  @inlinable
  public func tryCatch<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) throws -> NewPublisher
  ) -> Publishers.TryCatch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// The publisher returned by `catch(_:)`.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    /// The publisher whose failure is replaced.
    public let upstream: Upstream
    /// The closure that creates the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Creates the publisher that `upstream.catch(handler)` returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(CatchPlan(handler), subscriber)
    }
  }

  /// The publisher returned by `tryCatch(_:)`.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose failure is replaced.
    public let upstream: Upstream
    /// The closure that creates the replacement, or throws the failure of the stream.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Creates the publisher that `upstream.tryCatch(handler)` returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      upstream.subscribe(TryCatchPlan(handler), subscriber)
    }
  }
}

@frozen @usableFromInline
struct CatchPlan<First: Error, Next: Publisher>: ConcatenationPlan {
  @inlinable static var name: String { "Catch" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }
  @usableFromInline static var showsDownstream: Bool { true }

  @usableFromInline let handler: (First) -> Next

  @inlinable
  init(_ handler: @escaping (First) -> Next) { self.handler = handler }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    switch completion {
    case .finished: .end(.finished)
    case .failure(let error): .publisher(handler(error))
    }
  }
}

@frozen @usableFromInline
struct TryCatchPlan<First: Error, Recovery: Publisher>: ConcatenationPlan {
  @usableFromInline typealias Next = AnyPublisher<Recovery.Output, any Error>

  @inlinable static var name: String { "TryCatch" }
  @inlinable static var zeroDemand: ZeroDemand { .traps }
  @usableFromInline static var showsDownstream: Bool { true }

  @usableFromInline let handler: (First) throws -> Recovery

  @inlinable
  init(_ handler: @escaping (First) throws -> Recovery) { self.handler = handler }

  @inlinable
  func next(after completion: Subscribers.Completion<First>, wasEmpty: Bool) -> Following<Next> {
    guard case .failure(let failure) = completion else { return .end(.finished) }
    do {
      let recovery = try handler(failure)
      // A publisher that fails with any error already needs no mapping, and may be taken over by another concatenation.
      return .publisher(recovery as? Next ?? recovery.mapError { $0 as any Error }.eraseToAnyPublisher())
    } catch {
      return .end(.failure(error))
    }
  }
}
