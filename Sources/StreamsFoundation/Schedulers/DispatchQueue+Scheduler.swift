public import Dispatch
public import Streams

extension DispatchQueue: Scheduler {
  /// How a dispatch queue runs an action.
  public struct SchedulerOptions {
    /// The quality of service of the action.
    public var qos: DispatchQoS

    /// The flags of the action, such as a barrier.
    public var flags: DispatchWorkItemFlags

    /// The group that an action belongs to until it has run. Repeating actions belong to none, because they have no end.
    public var group: DispatchGroup?

    /// Creates options. Omitted ones are those of the queue.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The present: nanoseconds of uptime.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// Zero: a queue accepts any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Submits `action` to the queue.
  ///
  /// `DispatchQueue.main` runs actions only if it is served: by an asynchronous `main`, `dispatchMain()`, or a running main
  /// run loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let job = job(action)
    guard let options else { return async(execute: job) }
    async(group: options.group, qos: options.qos, flags: options.flags, execute: job)
  }

  /// Submits `action` to the queue at `date`, or at once if that is past. The tolerance is ignored.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let job = job(action)
    guard let options else { return asyncAfter(deadline: date.dispatchTime, execute: job) }
    guard let group = options.group else {
      return asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags, execute: job)
    }
    group.enter()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
      job()
      group.leave()
    }
  }

  /// Runs `action` on the queue at `date`, and then every `interval`.
  ///
  /// One run replaces all times that pass while the queue is busy or suspended. An interval that is not
  /// positive means as often as the queue can.
  ///
  /// - Returns: A cancellable that stops it when it is cancelled or released. If you cancel it on the queue, and the queue is
  ///   serial, `action` is not run again. If you cancel it elsewhere, a run in progress finishes. The action is released on
  ///   the queue.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler(
      qos: options?.qos ?? .unspecified, flags: options?.flags ?? [], handler: job(action))
    timer.schedule(
      deadline: date.dispatchTime, repeating: max(interval, .nanoseconds(1)).timeInterval,
      leeway: max(tolerance, .zero).timeInterval)
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }

  private func job(_ action: @escaping () -> Void) -> @Sendable @convention(block) () -> Void {
    // The queue runs it after it was submitted, and a timer one run after another. There is no other reference by then.
    let transfer = Transfer(action)
    return { transfer.value() }
  }
}

// Flags are a number, and nothing else here is unsafe to send.
extension DispatchQueue.SchedulerOptions: @unchecked Sendable {}

// A block of a queue cannot be taken back, so what waits for it is never left behind.
extension DispatchQueue: BatchingScheduler {}

extension DispatchQueue: RevocableScheduler {
  @usableFromInline
  package func scheduleOnce(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler(handler: job(action))
    timer.schedule(deadline: date.dispatchTime, leeway: max(tolerance, .zero).timeInterval)
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}
