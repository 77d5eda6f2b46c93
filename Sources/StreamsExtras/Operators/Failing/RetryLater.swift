extension Publisher {
  /// Subscribes again some time after a failure, as `policy` describes. The last failure passes.
  ///
  /// ![Marble diagram of retry-policy](retry-policy.svg)
  ///
  /// The values of failed attempts remain sent. An attempt receives the demand that the previous attempt has not met.
  /// Retries start on `scheduler`. Cancelling the subscription prevents the next one.
  /// A delay retains the subscription.
  ///
  /// - Parameters:
  ///   - policy: The number of retries, and the delay before each.
  ///   - scheduler: The scheduler of the retries. Pass a virtual one in tests.
  ///   - options: The options passed to the scheduler.
  ///   - isRetried: Whether to retry after this failure. Otherwise the failure passes immediately.
  ///   - onRetry: Called with each failure that is retried, and the number of the retry, counted from one.
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

  /// Subscribes again some time after a failure, as `policy` describes, in the time of the continuous clock.
  ///
  /// ![Marble diagram of retry-policy](retry-policy.svg)
  ///
  /// Retries start on threads of Swift concurrency. In tests, use
  /// ``retry(_:scheduler:options:when:onRetry:)`` with a virtual scheduler.
  @_disfavoredOverload
  public func retry(
    _ policy: RetryPolicy, when isRetried: @escaping (Failure) -> Bool = { _ in true },
    onRetry: ((Failure, Int) -> Void)? = nil
  ) -> MorePublishers.RetryLater<Self, ClockScheduler<ContinuousClock>> {
    retry(policy, scheduler: ClockScheduler(clock: ContinuousClock()), when: isRetried, onRetry: onRetry)
  }

  /// Subscribes again `delay` after a failure, up to `retries` times. The last failure passes.
  ///
  /// ![Marble diagram of retry-delay](retry-delay.svg)
  @_disfavoredOverload
  public func retry<Context: Scheduler>(
    _ retries: Int, delay: Duration, scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> MorePublishers.RetryLater<Self, Context> {
    retry(.constant(retries: retries, delay), scheduler: scheduler, options: options)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/retry(_:scheduler:options:when:onRetry:)``.
  public struct RetryLater<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that is subscribed to again.
    public let upstream: Upstream
    /// The number of retries, and the delay before each.
    public let policy: RetryPolicy
    /// The scheduler of the retries.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?
    @usableFromInline let isRetried: (Failure) -> Bool
    @usableFromInline let onRetry: ((Failure, Int) -> Void)?

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Retry", for: subscriber) { core in
        Attempts(core, self).attempt()
      }
    }
  }
}

/// The attempts of one subscription.
///
/// Only the core holds it, until the stream is over: it holds the upstream, which may hold its subscriber. What another
/// thread sends may arrive later, and finds nothing.
@usableFromInline
final class Attempts<Upstream: Publisher, Context: Scheduler, Downstream: Subscriber>
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline unowned let core: OperatorCore<Downstream>
  @usableFromInline let plan: MorePublishers.RetryLater<Upstream, Context>
  @usableFromInline let timer: RestartableTimer<Context>
  @exclusivity(unchecked)  // inside the core's drain loop only
  @usableFromInline var retried = 0

  @inlinable
  init(_ core: OperatorCore<Downstream>, _ plan: MorePublishers.RetryLater<Upstream, Context>) {
    self.core = core
    self.plan = plan
    timer = RestartableTimer(on: plan.scheduler, options: plan.options)
    core.state = self
    core.onEnd { [timer] in timer.cancel() }
  }

  @inlinable
  func attempt() {
    core.bounce { [self] in
      let (core, resets) = (core, plan.policy.resetsOnOutput)
      core.subscribePrimary(to: plan.upstream) { [weak self] value in
        if resets { self?.retried = 0 }
        core.emit(value)
      } onCompletion: { [weak self] completion in
        self?.end(completion)
      }
    }
  }

  @inlinable
  func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
    guard case .failure(let error) = completion, retried < plan.policy.retries, plan.isRetried(error) else {
      return core.finish(completion)
    }
    retried += 1
    plan.onRetry?(error, retried)
    if core.isOver { return }
    timer.set(after: .seconds(plan.policy.delay(beforeRetry: retried - 1))) { [core] in
      self.attemptInJob(of: core)  // the timer may be all that retains the core
    }
  }

  /// Starts an attempt in the current job of the scheduler, or in another one if another thread is still inside.
  @inlinable
  func attemptInJob(of core: OperatorCore<Downstream>) {
    core.perform {
      attempt()
    } ifBusy: { [self] in
      core.performInAnotherJob(of: plan.scheduler, plan.options) { [weak self] in self?.attempt() }
    }
  }
}
