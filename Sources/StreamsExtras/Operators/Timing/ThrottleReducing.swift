extension Publisher {
  /// Sends at most one value in each `interval`, combined from all values of the interval by a closure.
  ///
  /// ![Marble diagram of throttle-reducing](throttle-reducing.svg)
  ///
  /// The first value does not wait for an interval. Everything is requested from this publisher. A result without demand
  /// continues to grow. When this publisher finishes, the remaining result is sent at the end of its interval, followed
  /// by the completion. A failure does not wait. Everything is delivered on `scheduler`, and retains the subscription
  /// until then. `nextPartialResult` combines the previous result, if any, and a value. A value that it sends to this
  /// publisher is combined next.
  @_disfavoredOverload
  public func throttle<Result, Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    reducing nextPartialResult: @escaping (Result?, Output) -> Result
  ) -> MorePublishers.ThrottleReducing<Self, Context, Result> {
    MorePublishers.ThrottleReducing(
      upstream: self, interval: interval, scheduler: scheduler, nextPartialResult: nextPartialResult)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/throttle(for:scheduler:reducing:)``.
  public struct ThrottleReducing<Upstream: Publisher, Context: Scheduler, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are combined.
    public let upstream: Upstream
    /// The shortest time between two results that are sent.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers everything.
    public let scheduler: Context
    @usableFromInline let nextPartialResult: (Output?, Upstream.Output) -> Output

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (reduce, scheduler, interval) = (nextPartialResult, scheduler, interval)
      OperatorCore.start("Throttle", on: scheduler, options: nil, attachesLate: false, for: subscriber) {
        core, hop in
        var growing: Output?
        var lastSent: Context.SchedulerTimeType?
        var (isReducing, isScheduled, isDue, isOver) = (false, false, false, false)
        func send(_ core: OperatorCore<ScheduledOutlet<Downstream>>) {
          isScheduled = false
          if growing != nil, core.outstandingDemand == .none { return isDue = true }
          isDue = false
          if let value = growing.take() {
            lastSent = scheduler.now
            core.emit(value)
          }
          if isOver, growing == nil { core.finish(.finished) }
        }
        func schedule(_ core: OperatorCore<ScheduledOutlet<Downstream>>) {
          guard !isScheduled, !isDue, let hop = core.hop() else { return }
          isScheduled = true
          let job = { core.performInJob(hop) { send(core) } }
          if let due = lastSent?.advanced(by: interval), scheduler.now < due {
            scheduler.schedule(after: due, job)
          } else {
            scheduler.schedule(job)
          }
        }
        core.onRequest { core, _ in
          guard isDue, core.outstandingDemand > .none else { return }
          isDue = false
          schedule(core)
        }
        func receive(_ value: Upstream.Output) {
          if isReducing { return core.performAfterDelivery { receive(value) } }
          let old = growing.take()  // released last: that may send a value
          isReducing = true
          growing = reduce(old, value)
          isReducing = false
          schedule(core)
          withExtendedLifetime(old) {}
        }
        func finish() {
          if isReducing { return core.performAfterDelivery { finish() } }
          isOver = true
          schedule(core)
        }
        core.subscribe(to: upstream, for: hop, UpstreamHandle(requesting: .unlimited)) { value in
          receive(value)
        } onCompletion: { completion in
          if !completion.isFailure { return finish() }
          scheduler.schedule { core.performInJob(hop) { core.finish(completion) } }
        }
      }
    }
  }
}
