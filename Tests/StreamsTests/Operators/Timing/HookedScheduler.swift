import Streams

/// A scheduler whose repeating jobs call a hook, once, when they are cancelled.
final class HookedScheduler<Base: Scheduler>: Scheduler {
  let base: Base
  var onCancel: (() -> Void)?

  init(_ base: Base) { self.base = base }

  var now: Base.SchedulerTimeType { base.now }
  var minimumTolerance: Base.SchedulerTimeType.Stride { base.minimumTolerance }

  func schedule(options: Base.SchedulerOptions?, _ action: @escaping () -> Void) {
    base.schedule(options: options, action)
  }

  func schedule(
    after date: Base.SchedulerTimeType, tolerance: Base.SchedulerTimeType.Stride,
    options: Base.SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: Base.SchedulerTimeType, interval: Base.SchedulerTimeType.Stride,
    tolerance: Base.SchedulerTimeType.Stride, options: Base.SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let token = base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
    return AnyCancellable { [unowned self] in
      token.cancel()
      onCancel.take()?()
    }
  }
}
