public import Foundation
public import Streams

extension Timer {
  /// Returns a publisher of the date, repeatedly, on a run loop.
  ///
  /// Nothing is sent before it is connected; see `autoconnect()`. The run loop must run in the given mode. The main run loop
  /// need not run, because the main queue serves it then. A date without demand is dropped. `interval` and `tolerance` are
  /// in seconds. An interval that is not positive means as often as a timer can. `tolerance` is how late a date may be; `nil`
  /// and a negative one count as zero.
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
    /// How late a date may be, in seconds; `nil` counts as zero.
    public let tolerance: TimeInterval?
    /// The run loop of the timer, on which dates are sent.
    public let runLoop: RunLoop
    /// The mode in which the run loop has to run.
    public let mode: RunLoop.Mode
    /// Not used.
    public let options: RunLoop.SchedulerOptions?

    private let sender = Sender(to: SubscriberList<Date, Never>("Timer", zeroDemand: .passes))

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
      sender.subscribers.add(subscriber)
    }

    /// Starts a timer. Each call starts one more; cancelling the result stops that one.
    ///
    /// A timer runs until then, even if neither this nor the result is retained.
    public func connect() -> any Cancellable {
      let (sender, mode, isMain) = (sender, mode, runLoop === RunLoop.main)
      let period = RunLoop.SchedulerTimeType.Stride(interval).period
      let leeway = RunLoop.SchedulerTimeType.Stride(tolerance ?? 0).leeway
      return TimerConnection(
        runLoop.startTimer(at: Date(timeIntervalSinceNow: period), every: period, leeway: leeway, in: mode) {
          Self.send(Date(), to: sender, isMain: isMain, in: mode)
        })
    }

    /// Sends on the loop's thread. If another thread subscribes or cancels meanwhile, sends when the loop runs next.
    private static func send(
      _ date: Date, to sender: Sender<Date, Never>, isMain: Bool, in mode: RunLoop.Mode
    ) {
      // Not captured by the timer: a loop with a timer that is never cancelled would retain itself.
      let loop = isMain ? RunLoop.main : RunLoop.current
      sender.subscribers.send(date) {
        loop.perform(in: mode) { send(date, to: sender, isMain: isMain, in: mode) }
      }
    }
  }
}

/// A timer that runs until it is cancelled.
private final class TimerConnection: Cancellable {
  private let stop: () -> Void

  init(_ stop: @escaping () -> Void) { self.stop = stop }

  func cancel() { stop() }
}
