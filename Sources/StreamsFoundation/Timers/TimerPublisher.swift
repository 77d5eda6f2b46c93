public import Foundation
public import Streams

extension Timer {
  /// A publisher of the date, again and again, on a run loop.
  ///
  /// Nothing is sent before it is connected; see `autoconnect()`. The run loop must run, in the mode named; only the main one
  /// need not, since the main queue serves it while nobody runs it. A date
  /// that a subscriber has not asked for is dropped for it. `interval` is in seconds, as is `tolerance`, which says how
  /// late a date may be: as the timer has it if `nil`.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }

  /// The publisher of `Timer.publish(every:tolerance:on:in:options:)`.
  public final class TimerPublisher: ConnectablePublisher {
    public typealias Output = Date
    public typealias Failure = Never

    /// The time between two dates, in seconds.
    public let interval: TimeInterval
    /// How late a date may be, in seconds; as the timer has it if `nil`.
    public let tolerance: TimeInterval?
    /// Where the timer runs, and dates are sent.
    public let runLoop: RunLoop
    /// The mode in which the run loop has to run.
    public let mode: RunLoop.Mode
    /// Not used.
    public let options: RunLoop.SchedulerOptions?

    private let sender = Sender(to: Audience<Date, Never>("Timer", zeroDemand: .passes))

    /// A publisher of dates, once it is connected. See `Timer.publish(every:on:in:)`.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Date, Downstream.Failure == Never {
      sender.audience.admit(subscriber)
    }

    /// Starts a timer. Each call starts one more; cancelling the result stops that one.
    ///
    /// A timer goes on until then, even if neither this nor the result is kept.
    public func connect() -> any Cancellable {
      let sender = sender
      let period = Swift.max(interval, 0.0001)  // as for a `Timer`: zero would mean once
      return TimerConnection(
        runLoop.startTimer(
          at: Date(timeIntervalSinceNow: period), every: period, leeway: tolerance ?? 0, in: mode
        ) {
          sender.audience.send(Date())
        })
    }
  }
}

/// A timer that runs until it is cancelled.
private final class TimerConnection: Cancellable {
  private let stop: () -> Void

  init(_ stop: @escaping () -> Void) { self.stop = stop }

  func cancel() { stop() }
}
