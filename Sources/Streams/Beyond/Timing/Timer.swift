extension MorePublishers {
  /// A publisher of the time, again and again, on any scheduler.
  ///
  /// ```
  /// connect  x
  /// result   ---3---6---9--       every three columns
  /// ```
  ///
  /// Nothing is sent before it is connected; see `autoconnect()`. Dates are counted from the connection, so that they do
  /// not drift, and dates that the scheduler misses are not made up for. A date that a subscriber has not asked for is
  /// dropped for it. With a test's scheduler the test moves the time.
  public final class Timer<Context: Scheduler>: ConnectablePublisher {
    public typealias Output = Context.SchedulerTimeType
    public typealias Failure = Never

    /// How much time is between two dates.
    public let interval: Context.SchedulerTimeType.Stride
    /// How late a date may be; as little as the scheduler can if `nil`.
    public let tolerance: Context.SchedulerTimeType.Stride?
    /// What measures the time, and where dates are sent.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    private let sender = Sender(to: Audience<Output, Never>("Timer", zeroDemand: .passes))

    /// A timer, which begins when it is connected. A date is late by `tolerance` at most: as little as the scheduler can
    /// if it is `nil`.
    public init(
      every interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride? = nil, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      sender.audience.admit(subscriber)
    }

    /// Starts a timer. Each call starts one more; cancelling the result stops it.
    public func connect() -> any Cancellable {
      scheduler.schedule(
        after: scheduler.now.advanced(by: interval), interval: interval,
        tolerance: tolerance ?? scheduler.minimumTolerance, options: options
      ) { [sender, scheduler] in
        sender.audience.send(scheduler.now)
      }
    }
  }
}

extension Scheduler {
  /// A publisher of the time, every `interval`, once connected. See ``MorePublishers/Timer``.
  @_disfavoredOverload
  public func timerPublisher(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> MorePublishers.Timer<Self> {
    MorePublishers.Timer(every: interval, tolerance: tolerance, scheduler: self, options: options)
  }

  /// A publisher of the time, once, `interval` after somebody has subscribed; then it finishes.
  @_disfavoredOverload
  public func timerPublisher(
    after interval: SchedulerTimeType.Stride, options: SchedulerOptions? = nil
  ) -> MorePublishers.Appointment<Self> {
    MorePublishers.Appointment(interval: interval, scheduler: self, options: options)
  }
}

extension MorePublishers {
  /// The publisher of ``Scheduler/timerPublisher(after:options:)``.
  public struct Appointment<Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType
    public typealias Failure = Never

    /// After how much time the value is sent.
    public let interval: Context.SchedulerTimeType.Stride
    /// What measures the time, and where the value is sent.
    public let scheduler: Context
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let scheduler = scheduler
      Desk.start("Timer", for: subscriber) { desk in
        desk.wake(after: interval, on: scheduler, options: options) { desk in
          desk.emit(scheduler.now)
          desk.finish(.finished)
        }
      }
    }
  }
}
