extension MorePublishers {
  /// A connectable publisher that sends the current time at regular intervals, on any scheduler.
  ///
  /// ![Marble diagram of timer](timer.svg)
  ///
  /// Nothing is sent before `connect()`. Call `autoconnect()` to connect with the first subscriber. The first date is one
  /// interval after the connection. The scheduler decides about dates that it misses. A date without demand is dropped.
  /// With a test scheduler, the test controls the time.
  public final class Timer<Context: Scheduler>: ConnectablePublisher {
    public typealias Output = Context.SchedulerTimeType
    public typealias Failure = Never

    /// The time between two dates.
    public let interval: Context.SchedulerTimeType.Stride
    /// How late a date may be. `nil` uses the smallest tolerance of the scheduler.
    public let tolerance: Context.SchedulerTimeType.Stride?
    /// The scheduler that measures the time and delivers the dates.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    private let sender = Sender(to: SubscriberList<Output, Never>("Timer", zeroDemand: .passes))

    /// Creates a timer that starts when it is connected.
    ///
    /// A `tolerance` of `nil` uses the smallest one of the scheduler.
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
      sender.subscribers.add(subscriber)
    }

    /// Starts a timer, which retains the subscribers. Each call starts another one. Cancelling the result stops it.
    public func connect() -> any Cancellable {
      scheduler.schedule(
        after: scheduler.now.advanced(by: interval), interval: interval,
        tolerance: tolerance ?? scheduler.minimumTolerance, options: options
      ) { [sender, scheduler, options] in
        Self.send(scheduler.now, to: sender, on: scheduler, options)
      }
    }

    /// Sends in the current job. If another thread subscribes or cancels meanwhile, sends in another job.
    private static func send(
      _ date: Output, to sender: Sender<Output, Never>, on scheduler: Context,
      _ options: Context.SchedulerOptions?
    ) {
      sender.subscribers.send(date) {
        scheduler.schedule(options: options) { send(date, to: sender, on: scheduler, options) }
      }
    }
  }
}

extension Scheduler {
  /// Creates a connectable publisher that sends the time every `interval`. See ``MorePublishers/Timer``.
  ///
  /// ![Marble diagram of timer](timer.svg)
  @_disfavoredOverload
  public func timerPublisher(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> MorePublishers.Timer<Self> {
    MorePublishers.Timer(every: interval, tolerance: tolerance, scheduler: self, options: options)
  }

  /// Creates a publisher that sends the time once, `interval` after each subscription or with the first request after
  /// that, and finishes. The time and the completion are delivered on this scheduler. The timer does not retain the
  /// subscription.
  ///
  /// ![Marble diagram of timer-once](timer-once.svg)
  @_disfavoredOverload
  public func timerPublisher(
    after interval: SchedulerTimeType.Stride, options: SchedulerOptions? = nil
  ) -> MorePublishers.Appointment<Self> {
    MorePublishers.Appointment(interval: interval, scheduler: self, options: options)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Scheduler/timerPublisher(after:options:)``.
  public struct Appointment<Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType
    public typealias Failure = Never

    /// How long after the subscription the value is due.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time, and delivers it and the completion.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Never {
      let scheduler = scheduler
      OperatorCore.start("Timer", on: scheduler, options: options, attachesLate: false, for: subscriber) {
        core, hop in
        core.timer(on: scheduler, options: options).set(after: interval) { [weak core, weak hop] in  // law C21
          guard let core, let hop else { return }
          core.performInJob(hop) {
            core.emit(scheduler.now)
            core.finish(.finished)
          }
        }
        core.onRequest { core, _ in core.hop()?.deliverLater() }
      }
    }
  }
}

extension MorePublishers.Timer: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable, Context.SchedulerOptions: Sendable {}

extension YieldingNames {
  /// A connectable publisher that sends the current time at regular intervals, on any scheduler.
  public typealias Timer<Context: Scheduler> = MorePublishers.Timer<Context>
}
