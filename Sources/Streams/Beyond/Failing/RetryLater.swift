extension Publisher {
  /// Subscribes again after a failure, some time later, as `policy` says; then passes the last failure on.
  ///
  /// ```
  /// self    -1-#   -1-#      -1-2|
  /// result  -1------1--------1-2|      .backoff: twice as long each time
  /// ```
  ///
  /// What failed attempts have sent is not taken back. Demand that an attempt has not met is asked of the next. The
  /// attempts are made on `scheduler`; cancelling calls the next one off.
  ///
  /// - Parameters:
  ///   - policy: How often it is tried again, and how long to wait before each time.
  ///   - scheduler: Where the attempts are made; a virtual one in tests.
  ///   - options: Handed to the scheduler with each attempt.
  ///   - isRetried: Whether it is worth trying after this failure. If not, it passes at once.
  ///   - onRetry: Told of each failure that is tried again, and the number of the retry, from one.
  @_disfavoredOverload
  public func retry<Context: Scheduler>(
    _ policy: RetryPolicy, scheduler: Context, options: Context.SchedulerOptions? = nil,
    when isRetried: @escaping (Failure) -> Bool = { _ in true },
    onRetry: ((Failure, Int) -> Void)? = nil
  ) -> MorePublishers.RetryLater<Self, Context> {
    MorePublishers.RetryLater(
      upstream: self, policy: policy, scheduler: scheduler, options: options, isRetried: isRetried,
      onRetry: onRetry)
  }

  /// Subscribes again `delay` after a failure, up to `retries` times.
  @_disfavoredOverload
  public func retry<Context: Scheduler>(
    _ retries: Int, delay: Duration, scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> MorePublishers.RetryLater<Self, Context> {
    retry(.constant(retries: retries, delay), scheduler: scheduler, options: options)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/retry(_:scheduler:options:when:onRetry:)``.
  public struct RetryLater<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// How often that is done, and how long each time is waited before.
    public let policy: RetryPolicy
    /// Where it is done.
    public let scheduler: Context
    /// Handed to the scheduler each time.
    public let options: Context.SchedulerOptions?
    @usableFromInline let isRetried: (Failure) -> Bool
    @usableFromInline let onRetry: ((Failure, Int) -> Void)?

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      Desk.start("Retry", for: subscriber) { desk in
        let alarm = Alarm(on: scheduler, options: options)
        desk.keep(Departing { alarm.callOff() })
        Attempts<_, _, Downstream>(self, alarm).attempt(desk)
      }
    }
  }
}

/// The attempts of one subscription. Neither it nor the desk holds the other: the upstream holds both, or the alarm this.
@usableFromInline
final class Attempts<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline let plan: MorePublishers.RetryLater<Upstream, Context>
  @usableFromInline let alarm: Alarm<Context>
  @exclusivity(unchecked)  // inside the desk's reception only
  @usableFromInline var retried = 0

  @inlinable
  init(_ plan: MorePublishers.RetryLater<Upstream, Context>, _ alarm: Alarm<Context>) {
    self.plan = plan
    self.alarm = alarm
  }

  @inlinable
  func attempt(_ desk: Desk<Downstream>) {
    desk.move { [self] in
      desk.follow(plan.upstream) { [self] value in
        if plan.policy.resetsOnOutput { retried = 0 }
        desk.emit(value)
      } ended: { [self] completion in
        end(completion, desk)
      }
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Upstream.Failure>, _ desk: Desk<Downstream>) {
    guard case .failure(let error) = completion, retried < plan.policy.retries, plan.isRetried(error) else {
      return desk.finish(completion)
    }
    retried += 1
    plan.onRetry?(error, retried)
    if desk.isOver { return }
    alarm.set(after: .seconds(plan.policy.delay(beforeRetry: retried - 1))) { [weak desk] in  // law C21
      if let desk { desk.run { self.attempt(desk) } }
    }
  }
}
