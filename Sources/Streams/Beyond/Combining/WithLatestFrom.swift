extension Publisher {
  /// Sends each value together with the latest one of `other`, as `resultSelector` combines them.
  ///
  /// ```
  /// self    -1---2-----3-|
  /// other   ---a----b-----
  /// result  -----2a----3b|      if self sends whether or not it is listened to
  /// ```
  ///
  /// `other` is subscribed to first, and asked for everything. This publisher is subscribed to when `other` has sent its
  /// first value: one that begins when it is subscribed to loses nothing, and one that sends anyway is not listened to
  /// before. The stream ends with this publisher, and fails if `other` does; that `other` finishes does not matter: its
  /// last value stays. If there is none, this publisher's values are left out.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> MorePublishers.WithLatestFrom<Self, Other, Result> where Other.Failure == Failure {
    MorePublishers.WithLatestFrom(upstream: self, other: other, resultSelector: resultSelector)
  }

  /// Sends the latest value of `other` for each value. See ``withLatestFrom(_:resultSelector:)``.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> MorePublishers.WithLatestFrom<Self, Other, Other.Output> where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }

  /// The same with two others, both of which must have sent a value.
  @_disfavoredOverload
  @inlinable
  public func withLatestFrom<Other: Publisher, Other1: Publisher, Result>(
    _ other: Other, _ other1: Other1,
    resultSelector: @escaping (Output, (Other.Output, Other1.Output)) -> Result
  ) -> MorePublishers.WithLatestFrom<Self, AnyPublisher<(Other.Output, Other1.Output), Failure>, Result>
  where Other.Failure == Failure, Other1.Failure == Failure {
    withLatestFrom(other.combineLatest(other1).eraseToAnyPublisher(), resultSelector: resultSelector)
  }

  /// Sends the latest values of two others for each value.
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

  /// The same with three others, all of which must have sent a value.
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

  /// Sends the latest values of three others for each value.
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
  /// The publisher of ``Publisher/withLatestFrom(_:resultSelector:)``.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
  where Upstream.Failure == Other.Failure {
    public typealias Failure = Upstream.Failure

    /// The publisher each of whose values is sent, with another.
    public let upstream: Upstream
    /// The publisher whose latest value goes with it.
    public let other: Other
    /// Makes what is sent of the two.
    public let resultSelector: (Upstream.Output, Other.Output) -> Output

    /// The same as `upstream.withLatestFrom(other, resultSelector: resultSelector)`.
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
      Desk.start("WithLatestFrom", for: subscriber) { desk in
        var latest: Other.Output?
        var isFollowing = false
        let select = resultSelector
        let upstream = upstream
        let follow = {
          if isFollowing { return }
          isFollowing = true
          desk.follow(upstream) { value in
            if let latest { desk.emit(select(value, latest)) }
          } ended: { completion in
            desk.finish(completion)
          }
        }
        desk.open(other, DeskLink(asking: .unlimited)) { value in
          latest = value
          follow()
        } ended: { completion in
          if completion.isFailure { desk.finish(completion) } else { follow() }
        }
      }
    }
  }
}
