extension Publisher {
  /// Replaces a failure by what another publisher sends.
  ///
  /// `handler` is called once, when upstream fails; its publisher takes over, and is asked for the demand that
  /// upstream has not met.
  ///
  /// ```swift
  /// Fail<Int, URLError>(error: URLError(.timedOut)).catch { _ in Just(0) }.sink { print($0) }  // 0
  /// ```
  @inlinable
  public func `catch`<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) -> NewPublisher
  ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Replaces a failure by what another publisher sends, or by the error that `handler` throws.
  @inlinable
  public func tryCatch<NewPublisher: Publisher>(
    _ handler: @escaping (Failure) throws -> NewPublisher
  ) -> Publishers.TryCatch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}

extension Publishers {
  /// The publisher of `catch(_:)`.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = NewPublisher.Failure

    /// The publisher whose failure is caught.
    public let upstream: Upstream
    /// Makes the publisher that takes its place.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// The same as `upstream.catch(handler)`.
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

  /// The publisher of ``Publisher/tryCatch(_:)``.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = any Error

    /// The publisher whose failure is caught.
    public let upstream: Upstream
    /// Makes the publisher that takes its place, or throws what the stream fails with.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// The same as `upstream.tryCatch(handler)`.
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
struct CatchPlan<First: Error, Next: Publisher>: Plan {
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
struct TryCatchPlan<First: Error, Recovery: Publisher>: Plan {
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
      // What fails with any error already needs no mapping, and may be a detour.
      return .publisher(recovery as? Next ?? recovery.mapError { $0 as any Error }.eraseToAnyPublisher())
    } catch {
      return .end(.failure(error))
    }
  }
}
