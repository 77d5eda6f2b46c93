extension Publisher {
  /// Combines each value with the latest value of `other`, using a closure.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  ///
  /// `other` is subscribed to first, and everything is requested from it. This publisher is subscribed to when `other`
  /// has sent its first value or finished. A publisher that starts with its subscription therefore loses nothing, but a
  /// subject's earlier values are lost.
  ///
  /// The stream ends with this publisher. It also fails if `other` fails. If `other` finishes, its last value stays in
  /// use. If it finishes without a value, nothing is sent.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> MorePublishers.WithLatestFrom<Self, Other, Result> where Other.Failure == Failure {
    MorePublishers.WithLatestFrom(upstream: self, other: other, resultSelector: resultSelector)
  }

  /// Sends the latest value of `other` for each value. See ``withLatestFrom(_:resultSelector:)``.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> MorePublishers.WithLatestFrom<Self, Other, Other.Output> where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }

  /// Combines each value with the latest values of two other publishers, once both have sent a value.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  ///
  /// See ``withLatestFrom(_:resultSelector:)``.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher, Result>(
    _ other: Other, _ other1: Other1,
    resultSelector: @escaping (Output, (Other.Output, Other1.Output)) -> Result
  ) -> MorePublishers.WithLatestFrom<Self, AnyPublisher<(Other.Output, Other1.Output), Failure>, Result>
  where Other.Failure == Failure, Other1.Failure == Failure {
    withLatestFrom(other.combineLatest(other1).eraseToAnyPublisher(), resultSelector: resultSelector)
  }

  /// Sends the latest values of two other publishers for each value.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  ///
  /// See ``withLatestFrom(_:resultSelector:)``.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher>(
    _ other: Other, _ other1: Other1
  )
    -> MorePublishers.WithLatestFrom<
      Self, AnyPublisher<(Other.Output, Other1.Output), Failure>, (Other.Output, Other1.Output)
    > where Other.Failure == Failure, Other1.Failure == Failure
  {
    withLatestFrom(other, other1) { $1 }
  }

  /// Combines each value with the latest values of three other publishers, once all have sent a value.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  ///
  /// See ``withLatestFrom(_:resultSelector:)``.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher, Other2: Publisher, Result>(
    _ other: Other, _ other1: Other1, _ other2: Other2,
    resultSelector: @escaping (Output, (Other.Output, Other1.Output, Other2.Output)) -> Result
  )
    -> MorePublishers.WithLatestFrom<
      Self, AnyPublisher<(Other.Output, Other1.Output, Other2.Output), Failure>, Result
    > where Other.Failure == Failure, Other1.Failure == Failure, Other2.Failure == Failure
  {
    withLatestFrom(other.combineLatest(other1, other2).eraseToAnyPublisher(), resultSelector: resultSelector)
  }

  /// Sends the latest values of three other publishers for each value.
  ///
  /// ![Marble diagram of with-latest-from](with-latest-from.svg)
  ///
  /// See ``withLatestFrom(_:resultSelector:)``.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher, Other2: Publisher>(
    _ other: Other, _ other1: Other1, _ other2: Other2
  )
    -> MorePublishers.WithLatestFrom<
      Self, AnyPublisher<(Other.Output, Other1.Output, Other2.Output), Failure>,
      (Other.Output, Other1.Output, Other2.Output)
    > where Other.Failure == Failure, Other1.Failure == Failure, Other2.Failure == Failure
  {
    withLatestFrom(other, other1, other2) { $1 }
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/withLatestFrom(_:resultSelector:)``.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are combined with the latest value of `other`.
    public let upstream: Upstream
    /// The publisher of the latest value.
    public let other: Other
    /// The closure that combines two values.
    public let resultSelector: (Upstream.Output, Other.Output) -> Output

    /// Creates the publisher that `upstream.withLatestFrom(other, resultSelector: resultSelector)` returns.
    @inlinable
    public init(
      upstream: Upstream, other: Other, resultSelector: @escaping (Upstream.Output, Other.Output) -> Output
    ) {
      self.upstream = upstream
      self.other = other
      self.resultSelector = resultSelector
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("WithLatestFrom", for: subscriber) { core in
        var latest: Other.Output?
        var isFollowing = false
        let select = resultSelector
        let upstream = upstream
        let follow = {
          if isFollowing { return }
          isFollowing = true
          // Not the primary upstream: a value that the closure sends would be requested once more.
          let handle = UpstreamHandle(requesting: core.outstandingDemand)
          core.onRequest { _, more in handle.requestMore(more) }
          core.subscribe(to: upstream, handle) { value in
            if let latest { core.emit(select(value, latest)) } else { handle.requestMore(.max(1)) }
          } onCompletion: { completion in
            core.finish(completion)
          }
        }
        core.subscribe(to: other, UpstreamHandle(requesting: .unlimited)) { value in
          let old = latest  // released last: that may send a value
          latest = value
          follow()
          withExtendedLifetime(old) {}
        } onCompletion: { completion in
          if completion.isFailure { core.finish(completion) } else { follow() }
        }
      }
    }
  }
}

extension YieldingNames {
  /// The publisher returned by ``Streams/Publisher/withLatestFrom(_:resultSelector:)``.
  public typealias WithLatestFrom<Upstream: Publisher, Other: Publisher, Output> =
    MorePublishers.WithLatestFrom<Upstream, Other, Output>
  where Upstream.Failure == Other.Failure
}
