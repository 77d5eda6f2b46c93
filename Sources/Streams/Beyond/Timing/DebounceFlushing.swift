extension Publisher {
  /// Sends a value once no other has come for `dueTime`; at the end the one that still waits, if `flushesOnCompletion`.
  ///
  /// ```
  /// self    -1-2------3-|
  /// result  ------2-----(3|)     for three columns
  /// ```
  ///
  /// Otherwise this is ``debounce(for:scheduler:options:)``, which loses the one that waits. This publisher is asked for
  /// everything; a value that is due without demand is lost. Values and the completion are delivered on `scheduler`.
  @_disfavoredOverload
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil, flushesOnCompletion: Bool
  ) -> MorePublishers.DebounceFlushing<Self, Context> {
    MorePublishers.DebounceFlushing(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options,
      flushesOnCompletion: flushesOnCompletion)
  }
}

extension MorePublishers {
  /// The publisher of ``Publisher/debounce(for:scheduler:options:flushesOnCompletion:)``.
  public struct DebounceFlushing<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values wait.
    public let upstream: Upstream
    /// How long no other value may come.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// What measures the time, and where everything is delivered.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// Whether the value that waits is sent when upstream finishes.
    public let flushesOnCompletion: Bool

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (scheduler, options, dueTime, flushes) = (scheduler, options, dueTime, flushesOnCompletion)
      Desk.start("Debounce", for: subscriber) { desk in
        let alarm = desk.alarm(on: scheduler, options: options)
        var latest: (number: Int, value: Output)?
        var (count, flushed) = (0, 0)
        desk.open(upstream, DeskLink(asking: .unlimited)) { value in
          count += 1
          let number = count
          latest = (number, value)
          // The value belongs to its alarm: one that arrives while this alarm rings neither replaces it nor is sent early.
          alarm.set(after: dueTime) { [weak desk] in  // law C21: the alarm is the desk's own
            guard let desk else { return }
            desk.run {
              guard number != flushed else { return }
              if latest?.number == number { latest = nil }
              desk.offer(value)
            }
          }
        } ended: { completion in
          alarm.callOff()
          let rest = flushes && !completion.isFailure ? latest?.value : nil
          if let latest { flushed = latest.number }
          latest = nil
          scheduler.schedule(options: options) {
            desk.run {
              if let rest { desk.offer(rest) }
              desk.finish(completion)
            }
          }
        }
      }
    }
  }
}
