/// A scheduler of the library that can take back an action that runs once. Combine's protocol has repeating ones for that.
@usableFromInline
package protocol RevocableScheduler<SchedulerTimeType>: Scheduler {
  /// Runs `action` once, at `date`, with default options.
  ///
  /// - Returns: A cancellable that takes the action back, and releases it. It must be cancelled or released after the
  ///   action has run, too.
  func scheduleOnce(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable
}

/// A scheduler that passes everything on to another one.
package protocol SchedulerWrapper<SchedulerTimeType>: Scheduler {
  /// The other one, if it can take back an action.
  var wrapped: (any RevocableScheduler<SchedulerTimeType>)? { get }
}

extension Scheduler {
  /// What can take back an action with `options`: the scheduler, or the one that it wraps.
  @usableFromInline
  package func revocable(options: SchedulerOptions?) -> (any RevocableScheduler<SchedulerTimeType>)? {
    if case .some = options { return nil }
    if let wrapper = self as? any SchedulerWrapper<SchedulerTimeType> { return wrapper.wrapped }
    return self as? any RevocableScheduler<SchedulerTimeType>
  }
}
