public import CThreads
internal import Dispatch

/// The queue of the main actor. Only this file of Streams needs Dispatch.
@usableFromInline
package enum MainQueue {
  /// Whether the caller is on the main actor.
  ///
  /// `Thread.isMainThread` would be wrong: once an async main has suspended, another thread may drain the main queue.
  @inlinable @inline(__always)
  package static var isCurrent: Bool { cthreads_is_on_main_actor() != 0 }

  /// Whether the main thread is gone, and with it the main run loop.
  package static var hasLostMainThread: Bool { cthreads_main_has_exited() != 0 }

  /// The nanoseconds since the machine was started, not counting those it slept.
  package static var uptime: Int { Int(clamping: DispatchTime.now().uptimeNanoseconds) }

  package static func run(_ job: @escaping @Sendable () -> Void) {
    MainActorBacklog.willWait()
    DispatchQueue.main.async {
      MainActorBacklog.didBegin()
      job()
    }
  }

  package static func run(at uptime: Int, _ job: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: time(uptime), execute: job)
  }

  /// Runs `job` at `uptime` and then every `period`, once without a period, until the result is cancelled or released. All
  /// times are nanoseconds.
  package static func run(
    at uptime: Int, every period: Int?, leeway: Int, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler(handler: job)
    timer.schedule(
      deadline: time(uptime), repeating: period.map { .nanoseconds(max(1, $0)) } ?? .never,
      leeway: .nanoseconds(max(0, leeway)))
    timer.activate()
    return TimerCancellation(timer)
  }

  /// Runs `job` in a second, on another queue.
  static func afterSecondElsewhere(_ job: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(1), execute: job)
  }

  /// Times beyond the range of Dispatch become `.distantFuture`: Dispatch would take them for times of another clock.
  private static func time(_ uptime: Int) -> DispatchTime {
    uptime < 1 << 62 ? DispatchTime(uptimeNanoseconds: UInt64(max(1, uptime))) : .distantFuture
  }
}

private final class TimerCancellation: Cancellable {
  private let timer: any DispatchSourceTimer

  init(_ timer: any DispatchSourceTimer) { self.timer = timer }

  deinit { cancel() }

  func cancel() { timer.cancel() }
}
