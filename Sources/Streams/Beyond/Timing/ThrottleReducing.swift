extension Publisher {
  /// Sends at most one value in each `interval`, made of all that came since the one before.
  ///
  /// ```
  /// self    123---4|
  /// result  1---[23]---(4|)         every four columns
  /// ```
  ///
  /// The first value goes at once. This publisher is asked for everything; what is due without demand goes on growing
  /// until it is asked for. What is left when this publisher finishes is sent when it is due, and then the end; a failure
  /// does not wait. Everything is delivered on `scheduler`. `nextPartialResult` makes one of what there is, if anything,
  /// and a value.
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
  /// The publisher of ``Publisher/throttle(for:scheduler:reducing:)``.
  public struct ThrottleReducing<Upstream: Publisher, Context: Scheduler, Output>: Publisher {
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are put together.
    public let upstream: Upstream
    /// How much time is between two that are sent, at least.
    public let interval: Context.SchedulerTimeType.Stride
    /// What measures the time, and where everything is delivered.
    public let scheduler: Context
    @usableFromInline let nextPartialResult: (Output?, Upstream.Output) -> Output

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (reduce, scheduler, interval) = (nextPartialResult, scheduler, interval)
      Desk.start("Throttle", for: subscriber) { desk in
        var growing: Output?
        var lastSent: Context.SchedulerTimeType?
        var (isScheduled, isDue, isOver) = (false, false, false)
        func send(_ desk: Desk<Downstream>) {
          isScheduled = false
          if growing != nil, desk.demand == .none { return isDue = true }
          isDue = false
          if let value = growing.take() {
            lastSent = scheduler.now
            desk.emit(value)
          }
          if isOver, growing == nil { desk.finish(.finished) }
        }
        func schedule(_ desk: Desk<Downstream>) {
          if isScheduled || isDue { return }
          isScheduled = true
          let job = { [weak desk] in
            if let desk { desk.run { send(desk) } }
          }
          if let due = lastSent?.advanced(by: interval), scheduler.now < due {
            scheduler.schedule(after: due, job)
          } else {
            scheduler.schedule(job)
          }
        }
        desk.whenAsked { desk in
          if isDue, desk.demand > .none { send(desk) }
        }
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          growing = reduce(growing, value)
          schedule(desk)
        } ended: { completion in
          if completion.isFailure { return scheduler.schedule { desk.run { desk.finish(completion) } } }
          isOver = true
          schedule(desk)
        }
      }
    }
  }
}
