extension Publisher {
  /// Sends each value as a success and the failure as a last value, then finishes. The result never fails.
  ///
  /// ```
  /// self    -1--2--#
  /// result  -s1-s2-(f|)
  /// ```
  @_disfavoredOverload
  @inlinable
  public func mapToResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    map(Result<Output, Failure>.success).catch { Just(.failure($0)) }.eraseToAnyPublisher()
  }

  /// Ignores a failure. The result never fails.
  ///
  /// - Parameter completeImmediately: Whether a failure finishes the stream. Otherwise it never ends after a failure.
  @_disfavoredOverload
  @inlinable
  public func ignoreFailure(completeImmediately: Bool = true) -> AnyPublisher<Output, Never> {
    ignoreFailure(setFailureType: Never.self, completeImmediately: completeImmediately)
  }

  /// Ignores a failure, and declares another type of failure.
  ///
  /// - Parameters:
  ///   - failureType: The type of failure to declare.
  ///   - completeImmediately: Whether a failure finishes the stream. Otherwise it never ends after a failure.
  @_disfavoredOverload
  @inlinable
  public func ignoreFailure<NewFailure: Error>(
    setFailureType failureType: NewFailure.Type, completeImmediately: Bool = true
  ) -> AnyPublisher<Output, NewFailure> {
    self.catch { _ in Empty<Output, NewFailure>(completeImmediately: completeImmediately) }
      .eraseToAnyPublisher()
  }

  /// Replaces a failure with `output`, then finishes. The same as `replaceError(with:)`.
  @_disfavoredOverload
  @inlinable
  public func catchAndReturn(_ output: Output) -> Publishers.ReplaceError<Self> { replaceError(with: output) }

  /// Replaces each failure with the values of the next publisher of `fallbacks`.
  ///
  /// ![Marble diagram of catch-many](catch-many.svg)
  ///
  /// Each fallback is subscribed to when the previous publisher has failed, and receives the remaining demand. The
  /// failure of the last one passes.
  @_disfavoredOverload
  @inlinable
  public func `catch`<Fallbacks: Collection>(
    _ fallbacks: Fallbacks
  ) -> MorePublishers.CatchMany<Self, Fallbacks.Element>
  where
    Fallbacks.Element: Publisher, Fallbacks.Element.Output == Output, Fallbacks.Element.Failure == Failure
  {
    MorePublishers.CatchMany(upstream: self, fallbacks: Array(fallbacks))
  }

  /// Replaces a failure of one type with the values of another publisher. Other failures pass unchanged.
  ///
  /// ![Marble diagram of catch](catch.svg)
  ///
  /// ```swift
  /// request.onErrorResume(TimeoutError.self) { _ in cached }
  /// ```
  @_disfavoredOverload
  @inlinable
  public func onErrorResume<Kind: Error, Other: Publisher>(
    _ type: Kind.Type, _ handler: @escaping (Kind) -> Other
  ) -> AnyPublisher<Output, Failure> where Other.Output == Output, Other.Failure == Failure {
    Publishers.Catch(upstream: self) { error -> AnyPublisher<Output, Failure> in
      if let known = error as? Kind { return handler(known).eraseToAnyPublisher() }
      return Fail(error: error).eraseToAnyPublisher()
    }.eraseToAnyPublisher()
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/catch(_:)``.
  public struct CatchMany<Upstream: Publisher, Fallback: Publisher>: Publisher
  where Upstream.Output == Fallback.Output, Upstream.Failure == Fallback.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to first.
    public let upstream: Upstream
    /// The publishers that are subscribed to after failures, in order.
    public let fallbacks: [Fallback]

    /// Creates the publisher that `upstream.catch(fallbacks)` returns.
    @inlinable
    public init(upstream: Upstream, fallbacks: [Fallback]) {
      self.upstream = upstream
      self.fallbacks = fallbacks
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Catch", for: subscriber) { core in
        var queue = RingQueue<Fallback>()
        for publisher in fallbacks { queue.append(publisher) }
        let rest = PublisherQueue(queue)
        core.forward(upstream) { completion in
          core.recover(from: completion, rest)
        }
      }
    }
  }
}

extension OperatorCore {
  /// Ends with `completion`, or, after a failure, continues with the next publisher if there is one.
  @inlinable
  func recover<Fallback: Publisher>(
    from completion: Subscribers.Completion<Failure>, _ rest: PublisherQueue<Fallback>
  ) where Fallback.Output == Output, Fallback.Failure == Failure {
    guard completion.isFailure, let next = rest.queue.popFirst() else { return finish(completion) }
    bounce { [unowned self] in  // the core runs it
      forward(next) { completion in
        self.recover(from: completion, rest)
      }
    }
  }
}
