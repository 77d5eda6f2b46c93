extension Publisher {
  /// Sends values for `duration`, starting at the subscription, then cancels the upstream and finishes.
  ///
  /// ![Marble diagram of prefix-duration](prefix-duration.svg)
  ///
  /// The signals of this publisher are delivered where they arrive, and the completion after `duration` on `scheduler`. A
  /// `tolerance` of `nil` uses the smallest one of the scheduler. The timer does not retain the subscription.
  @_disfavoredOverload
  @inlinable
  public func prefix<Context: Scheduler>(
    duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Span(
      upstream: self, duration: duration, tolerance: tolerance, scheduler: scheduler, options: options,
      drops: false
    ).eraseToAnyPublisher()
  }

  /// Drops values for `duration`, starting at the subscription.
  ///
  /// ![Marble diagram of drop-duration](drop-duration.svg)
  ///
  /// One more value is requested for each value that is dropped. The timer does not retain the subscription.
  @_disfavoredOverload
  @inlinable
  public func drop<Context: Scheduler>(
    duration: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> AnyPublisher<Output, Failure> {
    Publishers.Span(
      upstream: self, duration: duration, tolerance: tolerance, scheduler: scheduler, options: options,
      drops: true
    ).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// The publisher of ``Publisher/prefix(duration:tolerance:on:options:)`` and of its counterpart.
  @usableFromInline
  struct Span<Upstream: Publisher, Context: Scheduler>: Publisher {
    @usableFromInline typealias Output = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let upstream: Upstream
    @usableFromInline let duration: Context.SchedulerTimeType.Stride
    @usableFromInline let tolerance: Context.SchedulerTimeType.Stride?
    @usableFromInline let scheduler: Context
    @usableFromInline let options: Context.SchedulerOptions?
    @usableFromInline let drops: Bool

    @inlinable
    init(
      upstream: Upstream, duration: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride?, scheduler: Context, options: Context.SchedulerOptions?,
      drops: Bool
    ) {
      self.upstream = upstream
      self.duration = duration
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
      self.drops = drops
    }

    @inlinable
    func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (scheduler, options, drops) = (scheduler, options, drops)  // no closure holds the upstream
      OperatorCore.start(drops ? "Drop" : "Prefix", for: subscriber) { core in
        var isOpen = !drops
        core.timer(on: scheduler, options: options).set(after: duration, tolerance: tolerance) {
          [weak core] in
          guard let core else { return }
          if drops { return core.perform { isOpen = true } }
          core.perform {
            core.finish(.finished)
          } ifBusy: {  // values end now, and the completion is for a job
            if let upstream = core.primary { core.cancel(upstream) }
            core.performInAnotherJob(of: scheduler, options) { core.finish(.finished) }
          }
        }
        core.subscribePrimary(to: upstream) { value in
          if isOpen { core.emit(value) }
        } onCompletion: { completion in
          core.finish(completion)
        }
      }
    }
  }
}
