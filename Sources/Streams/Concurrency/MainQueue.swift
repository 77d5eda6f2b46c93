public import CThreads
internal import Dispatch

/// The queue of the main actor: the one thing for which Streams needs Dispatch.
@usableFromInline
package enum MainQueue {
  /// Whether the caller is on the main actor.
  ///
  /// `Thread.isMainThread` would be wrong: once an async main has suspended, another thread may drain the main queue.
  @inlinable @inline(__always)
  package static var isCurrent: Bool { cthreads_is_on_main_actor() != 0 }

  /// The nanoseconds since the machine was started, not counting those it slept.
  static var uptime: Int { Int(clamping: DispatchTime.now().uptimeNanoseconds) }

  static func run(_ job: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: job) }

  static func run(at uptime: Int, _ job: @escaping @Sendable () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: time(uptime), execute: job)
  }

  /// Runs `job` at `uptime` and then every `period`, until the result is cancelled. All of them are nanoseconds.
  static func run(
    at uptime: Int, every period: Int, leeway: Int, _ job: @escaping @Sendable () -> Void
  ) -> AnyCancellable {
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler(handler: job)
    timer.schedule(
      deadline: time(uptime), repeating: .nanoseconds(max(1, period)), leeway: .nanoseconds(max(0, leeway)))
    timer.activate()
    return AnyCancellable { timer.cancel() }
  }

  /// Numbers beyond the last that Dispatch can tell would mean another clock to it.
  private static func time(_ uptime: Int) -> DispatchTime {
    uptime < 1 << 62 ? DispatchTime(uptimeNanoseconds: UInt64(max(1, uptime))) : .distantFuture
  }
}
