import CGLib
import Dispatch
import Streams
import StreamsGLib
import StreamsTesting

/// A main context of its own, run by the test.
final class Loop: @unchecked Sendable {  // GLib's contexts may be used from any thread
  let context = g_main_context_new()!
  let scheduler: GMainContextScheduler

  init() { scheduler = GMainContextScheduler(context: context) }

  deinit { g_main_context_unref(context) }

  /// Runs what is ready, and does not wait.
  func turn() { while g_main_context_iteration(context, 0) != 0 {} }

  /// Waits for what becomes ready until something is so. What never is keeps the test waiting, which says where.
  func run(until isSo: () -> Bool) { while !isSo() { g_main_context_iteration(context, 1) } }
}

/// A scheduler in virtual time whose actions the main loop of GLib runs, so that the laws hold of that.
struct Pumped: Scheduler {
  let loop: Loop
  let time: VirtualScheduler

  var now: VirtualTime { time.now }
  var minimumTolerance: VirtualTime.Stride { .zero }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    loop.scheduler.schedule(options: nil, action)
    time.schedule { loop.turn() }
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    time.schedule(after: date) {
      loop.scheduler.schedule(options: nil, action)
      loop.turn()
    }
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    time.schedule(after: date, interval: interval) {
      loop.scheduler.schedule(options: nil, action)
      loop.turn()
    }
  }
}
