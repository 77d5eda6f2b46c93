import Dispatch
import StreamImages
import Streams
import StreamsTesting

/// A scheduler whose time a test sets, and whose actions run only when a test runs them: late, or never.
final class ManualScheduler: Scheduler, Sendable {
  typealias Time = DispatchQueue.SchedulerTimeType

  struct Timer: Sendable {
    var date: Time
    var interval: Time.Stride?
    var tolerance: Time.Stride
    let action: @Sendable () -> Void
  }

  private let time = Shared(DispatchQueue.test.now)
  let timers = Shared([Timer]())
  let cancellations = Shared(0)

  var now: Time { time.value }
  var minimumTolerance: Time.Stride { .zero }

  func advance(by stride: Time.Stride) { time.change { $0 = $0.advanced(by: stride) } }

  /// Runs all actions, whether they are due or not.
  func runAll() {
    var due: [Timer] = []
    timers.change { swap(&$0, &due) }
    for timer in due { timer.action() }
  }

  func schedule(options: DispatchQueue.SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: Time, tolerance: Time.Stride, options: DispatchQueue.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    add(date, nil, tolerance, action)
  }

  func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: DispatchQueue.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    add(date, interval, tolerance, action)
    return AnyCancellable { [cancellations] in cancellations.change { $0 += 1 } }
  }

  private func add(
    _ date: Time, _ interval: Time.Stride?, _ tolerance: Time.Stride, _ action: @escaping () -> Void
  ) {
    // Actions of a scheduler may run on any thread.
    nonisolated(unsafe) let action = action
    timers.change { $0.append(Timer(date: date, interval: interval, tolerance: tolerance) { action() }) }
  }
}
