internal import Dispatch
internal import Foundation
internal import Streams
internal import Synchronization

/// An operation that becomes ready at a date.
///
/// Until then it waits in its queue like any other, delays none, and can be cancelled. (An operation that never
/// started, made a dependency, would do without a class; but Foundation on Linux keeps a dangling pointer to one that
/// depends on it and was cancelled.)
final class Appointment: Operation, Reflected, @unchecked Sendable {  // what changes is atomic
  private let job: @Sendable () -> Void
  private let isDue: Atomic<Bool>
  private let timer: (any DispatchSourceTimer)?

  /// A queue of its own, so that blocked threads of other queues do not delay the timers.
  private static let timers = DispatchQueue(label: "StreamsFoundation.OperationQueue.timers")

  init(at date: Date, leeway: TimeInterval, _ job: @escaping @Sendable () -> Void) {
    let delay = date.timeIntervalSinceNow
    self.job = job
    isDue = Atomic(delay <= 0)
    timer = delay <= 0 ? nil : DispatchSource.makeTimerSource(queue: Self.timers)
    super.init()
    timer?.setEventHandler { [weak self] in self?.becomeReady() }
    timer?.schedule(deadline: .now() + delay.asDispatch, leeway: leeway.asDispatch)
    timer?.activate()
  }

  deinit { timer?.cancel() }

  override var isReady: Bool { super.isReady && (isDue.load(ordering: .acquiring) || isCancelled) }

  override func main() { job() }

  private func becomeReady() {
    willChangeValue(for: \.isReady)
    isDue.store(true, ordering: .releasing)
    didChangeValue(for: \.isReady)
  }
}

extension TimeInterval {
  /// The same for Dispatch, whose range is shorter.
  var asDispatch: DispatchTimeInterval {
    DispatchQueue.SchedulerTimeType.Stride.seconds(self).timeInterval
  }
}
