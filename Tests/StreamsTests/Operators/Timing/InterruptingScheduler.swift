import Foundation
import Streams
import StreamsTesting

/// A scheduler whose jobs run at once on a thread of its own, while the thread that schedules one waits for it.
///
/// So each job runs in the middle of what that other thread does in an operator. Jobs that are due in more than a day
/// never run.
final class InterruptingScheduler: Scheduler, Sendable {
  private let worker = Guarded<pthread_t?>(nil)
  private let count = Guarded(0)

  var now: VirtualTime { VirtualTime() }
  var minimumTolerance: VirtualTime.Stride { 0 }
  /// How many jobs have begun.
  var jobs: Int { count.withLock { $0 } }
  /// Whether the calling thread runs a job.
  var isCurrent: Bool { worker.withLock { $0 } == pthread_self() }

  func schedule(options _: Never?, _ action: @escaping () -> Void) {
    count.withLock { $0 += 1 }
    if isCurrent { return action() }
    nonisolated(unsafe) let action = action  // one thread runs it, while this one waits
    elsewhere { [worker] in
      worker.withLock { $0 = pthread_self() }
      action()
      worker.withLock { $0 = nil }
    }
  }

  func schedule(
    after date: VirtualTime, tolerance _: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    if date.elapsed < .seconds(86_400) { schedule(options: options, action) }
  }

  func schedule(
    after date: VirtualTime, interval _: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, tolerance: tolerance, options: options, action)
    return AnyCancellable {}
  }
}
