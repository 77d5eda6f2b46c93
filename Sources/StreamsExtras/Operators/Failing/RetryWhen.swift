extension Publisher {
  /// Subscribes again after a failure, each time a publisher that you derive from the failures sends a value.
  ///
  /// ![Marble diagram of retry-when](retry-when.svg)
  ///
  /// `errorTrigger` is called once for each subscription, with a publisher of its failures. The publisher that it returns
  /// is subscribed to before the first attempt. Its value starts the next attempt once one has failed, and has no effect
  /// at other times, so only one attempt runs at a time. If that publisher finishes, so does the stream. An attempt
  /// receives the demand that the previous attempt has not met.
  ///
  /// The trigger can have another type of failure. A failure that is of this publisher's type ends the stream. Any
  /// other one ends the retries: the stream then ends with the failure that is waiting for an attempt, or with the
  /// running attempt.
  @_disfavoredOverload
  @inlinable
  public func retryWhen<Trigger: Publisher>(
    _ errorTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger
  ) -> MorePublishers.RetryWhen<Self, Trigger, Output, Failure> {
    MorePublishers.RetryWhen(upstream: self, errorTrigger: errorTrigger)
  }

  /// Subscribes again after this publisher has finished, `times` in total, or without end if `times` is `nil`.
  ///
  /// ![Marble diagram of repeat](repeat.svg)
  ///
  /// Each subscription receives the remaining demand. A failure passes unchanged. Traps if `times` is negative. Zero
  /// finishes at once.
  @_disfavoredOverload
  public func `repeat`(_ times: Int? = nil) -> MorePublishers.Repeat<Self> {
    MorePublishers.Repeat(upstream: self, times: times) { _ in nil }
  }

  /// Subscribes again after this publisher has finished, each time a publisher that you derive from the ends sends a
  /// value.
  ///
  /// ![Marble diagram of repeat-when](repeat-when.svg)
  ///
  /// `trigger` is called once for each subscription, with a publisher that sends when this one has finished. The
  /// publisher that it returns is subscribed to first. Its value starts the next subscription once this one has finished,
  /// and has no effect at other times. If that publisher ends, so does the stream.
  @_disfavoredOverload
  public func repeatWhen<Trigger: Publisher>(
    _ trigger: @escaping (AnyPublisher<Void, Never>) -> Trigger
  ) -> MorePublishers.Repeat<Self> where Trigger.Failure == Failure {
    MorePublishers.Repeat(upstream: self, times: nil) { trigger($0).map { _ in }.eraseToAnyPublisher() }
  }
}

extension MorePublishers {
  /// The publisher returned by `retryWhen(_:)`.
  public struct RetryWhen<Upstream: Publisher, Trigger: Publisher, Output, Failure: Error>: Publisher
  where Output == Upstream.Output, Failure == Upstream.Failure {
    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// The closure that derives the trigger from the failures.
    public let errorTrigger: (AnyPublisher<Failure, Never>) -> Trigger

    /// Creates the publisher that `upstream.retryWhen(errorTrigger)` returns.
    @inlinable
    public init(upstream: Upstream, errorTrigger: @escaping (AnyPublisher<Failure, Never>) -> Trigger) {
      self.upstream = upstream
      self.errorTrigger = errorTrigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Retry", for: subscriber) { core in
        let failures = PassthroughSubject<Failure, Never>()
        var waiting: Failure?
        var isGuided = true
        let rounds = Rounds(core, upstream) { completion in
          guard isGuided, case .failure(let error) = completion else { return false }
          let old = waiting  // released last: that may end the trigger
          waiting = error
          failures.send(error)
          withExtendedLifetime(old) {}
          return true
        }
        rounds.listen(to: errorTrigger(failures.eraseToAnyPublisher())) { error in
          if let error = error as? Failure { return .failure(error) }
          isGuided = false
          return rounds.isRunning ? nil : waiting.map { .failure($0) }
        }
        rounds.next()
      }
    }
  }

  /// The publisher returned by ``Streams/Publisher/repeat(_:)`` and ``Streams/Publisher/repeatWhen(_:)``.
  public struct Repeat<Upstream: Publisher>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let times: Int?
    @usableFromInline let trigger: (AnyPublisher<Void, Never>) -> AnyPublisher<Void, Failure>?

    init(
      upstream: Upstream, times: Int?,
      trigger: @escaping (AnyPublisher<Void, Never>) -> AnyPublisher<Void, Failure>?
    ) {
      if let times, times < 0 { Violation.negativeCount("how often is repeated", times) }
      self.upstream = upstream
      self.times = times
      self.trigger = trigger
    }

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Repeat", for: subscriber) { core in
        if times == 0 { return core.finish(.finished) }
        var left = times.map { $0 - 1 }
        let ends = PassthroughSubject<Void, Never>()
        let trigger = trigger(ends.eraseToAnyPublisher())
        let rounds = Rounds(core, upstream) { completion in
          if completion.isFailure || left == 0 { return false }
          left = left.map { $0 - 1 }
          ends.send()
          return true
        }
        if let trigger { rounds.listen(to: trigger) { .failure($0) } } else { rounds.isPrompt = true }
        rounds.next()
      }
    }
  }
}

extension YieldingNames {
  /// The publisher returned by ``Streams/Publisher/retryWhen(_:)``.
  public typealias RetryWhen<Upstream: Publisher, Trigger: Publisher, Output, Failure: Error> =
    MorePublishers.RetryWhen<Upstream, Trigger, Output, Failure>
  where Output == Upstream.Output, Failure == Upstream.Failure
}
