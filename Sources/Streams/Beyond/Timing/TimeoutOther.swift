extension Publisher {
  /// Passes to `other` if no value comes for `interval`.
  ///
  /// ```
  /// self    -1--------2-|
  /// other        -8-9|
  /// result  -1----8-9|          timeout(4 columns, other: other)
  /// ```
  ///
  /// The clock starts at the subscription, and again at each value. When it runs out, this publisher is cancelled, and
  /// `other` is asked for the demand that is left. The end of this publisher stops the clock. Values pass on the thread
  /// that brings them; `other` is subscribed to on `scheduler`.
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
  /// The publisher of ``Publisher/timeout(_:scheduler:options:other:)``.
  public struct TimeoutOther<Upstream: Publisher, Other: Publisher, Context: Scheduler>: Publisher
  where Upstream.Output == Other.Output, Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher that may take too long.
    public let upstream: Upstream
    /// How long a value may take.
    public let interval: Context.SchedulerTimeType.Stride
    /// What measures the time, and where `other` is subscribed to.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// What takes its place then.
    public let other: Other

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (interval, other) = (interval, other)
      Desk.start("Timeout", for: subscriber) { desk in
        let alarm = desk.alarm(on: scheduler, options: options)
        let link = DeskLink()
        func expire(_ desk: Desk<Downstream>) {
          if link.isCut || desk.lead !== link { return }
          desk.close(link)
          desk.move {
            desk.follow(other) {
              desk.emit($0)
            } ended: {
              desk.finish($0)
            }
          }
        }
        func stir() {
          alarm.set(after: interval) { [weak desk] in  // law C21: the alarm is the desk's own
            if let desk { desk.run { expire(desk) } }
          }
        }
        stir()
        desk.follow(upstream, link) { value in
          stir()
          desk.emit(value)
        } ended: { completion in
          alarm.callOff()
          desk.finish(completion)
        }
      }
    }
  }
}
