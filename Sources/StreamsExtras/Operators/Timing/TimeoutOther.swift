extension Publisher {
  /// Switches to `other` if no value arrives for `interval`.
  ///
  /// ![Marble diagram of timeout-other](timeout-other.svg)
  ///
  /// The time starts at the subscription, and again at each value. A timeout cancels this publisher, and `other`
  /// receives the remaining demand. A completion of this publisher stops the time. Values are delivered where they
  /// arrive. `other` is subscribed to on `scheduler`. The timer does not retain the subscription.
  @_disfavoredOverload
  public func timeout<Other: Publisher, Context: Scheduler>(
    _ interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil, other: Other
  ) -> MorePublishers.TimeoutOther<Self, Other, Context>
  where Other.Output == Output, Other.Failure == Failure {
    MorePublishers.TimeoutOther(
      upstream: self, interval: interval, scheduler: scheduler, options: options, other: other)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/timeout(_:scheduler:options:other:)``.
  public struct TimeoutOther<Upstream: Publisher, Other: Publisher, Context: Scheduler>: Publisher
  where Upstream.Output == Other.Output, Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may time out.
    public let upstream: Upstream
    /// The longest time without a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and subscribes to `other`.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// The publisher that replaces the upstream after a timeout.
    public let other: Other

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (interval, scheduler, options, other) = (interval, scheduler, options, other)
      OperatorCore.start("Timeout", for: subscriber) { core in
        let timer = core.timer(on: scheduler, options: options)
        let handle = UpstreamHandle()
        func expire(_ core: OperatorCore<Downstream>) -> Bool {
          if handle.isCancelled || core.primary !== handle { return false }
          core.cancel(handle)
          return true
        }
        func proceed(_ core: OperatorCore<Downstream>) {
          core.bounce {
            core.forward(other) {
              core.finish($0)
            }
          }
        }
        let isStirring = Box(false)
        func stir() {
          isStirring.value = true
          timer.set(after: interval) { [weak core] in  // law C21: the timer is the core's own
            guard let core else { return }
            core.perform {
              // At once: the subscription or the value for which the time starts comes first.
              if isStirring.value {
                core.performAfterDelivery { if expire(core) { proceed(core) } }
              } else if expire(core) {
                proceed(core)
              }
            } ifBusy: {
              if expire(core) { core.performInAnotherJob(of: scheduler, options) { proceed(core) } }
            }
          }
          isStirring.value = false
        }
        stir()
        core.subscribePrimary(to: upstream, handle) { value in
          stir()
          core.emit(value)
        } onCompletion: { completion in
          timer.cancel()
          core.finish(completion)
        }
      }
    }
  }
}
