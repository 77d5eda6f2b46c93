extension Publisher {
  /// Sends each value as a success, and a failure as one more value; then finishes. It never fails.
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

  /// Leaves a failure out.
  ///
  /// - Parameter completeImmediately: Whether the stream finishes then. If not, it goes on without end and values.
  @_disfavoredOverload
  @inlinable
  public func ignoreFailure(completeImmediately: Bool = true) -> AnyPublisher<Output, Never> {
    ignoreFailure(setFailureType: Never.self, completeImmediately: completeImmediately)
  }

  /// The same, for a stream that may fail otherwise.
  @_disfavoredOverload
  @inlinable
  public func ignoreFailure<NewFailure: Error>(
    setFailureType failureType: NewFailure.Type, completeImmediately: Bool = true
  ) -> AnyPublisher<Output, NewFailure> {
    self.catch { _ in Empty<Output, NewFailure>(completeImmediately: completeImmediately) }
      .eraseToAnyPublisher()
  }

  /// Sends `output` in place of a failure, then finishes. The same as ``replaceError(with:)``.
  @_disfavoredOverload
  @inlinable
  public func catchAndReturn(_ output: Output) -> Publishers.ReplaceError<Self> { replaceError(with: output) }

  /// Replaces a failure by what the publishers of `fallbacks` send: by the first that does not fail.
  ///
  /// ```
  /// self    -1-#
  /// 0          -2-#
  /// 1             -3-|
  /// result  -1--2--3-|
  /// ```
  ///
  /// Each has its turn when the one before fails, and is asked for the demand that is left. The failure of the last
  /// passes.
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

  /// Replaces a failure of type `type` by what another publisher sends; any other failure passes.
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
  /// The publisher of ``Publisher/catch(_:)-(Fallbacks)``.
  public struct CatchMany<Upstream: Publisher, Fallback: Publisher>: Publisher
  where Upstream.Output == Fallback.Output, Upstream.Failure == Fallback.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is tried first.
    public let upstream: Upstream
    /// Those that are tried after it, in this order.
    public let fallbacks: [Fallback]

    /// The same as `upstream.catch(fallbacks)`.
    @inlinable
    public init(upstream: Upstream, fallbacks: [Fallback]) {
      self.upstream = upstream
      self.fallbacks = fallbacks
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Catch", for: subscriber) { desk in
        var queue = Fifo<Fallback>()
        for publisher in fallbacks { queue.append(publisher) }
        let program = Program(queue)
        desk.follow(upstream) {
          desk.emit($0)
        } ended: { completion in
          desk.recover(from: completion, program)
        }
      }
    }
  }
}

extension Desk {
  /// Ends as `completion` says, unless it is a failure and there is something left to try.
  @inlinable
  func recover<Fallback: Publisher>(
    from completion: Subscribers.Completion<Failure>, _ program: Program<Fallback>
  ) where Fallback.Output == Output, Fallback.Failure == Failure {
    guard completion.isFailure, let next = program.queue.popFirst() else { return finish(completion) }
    move { [unowned self] in  // it is the desk that runs it
      follow(next) {
        self.emit($0)
      } ended: { completion in
        self.recover(from: completion, program)
      }
    }
  }
}
