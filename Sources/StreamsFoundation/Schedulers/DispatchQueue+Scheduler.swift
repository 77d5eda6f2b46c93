public import Dispatch
public import Streams

extension DispatchQueue: Scheduler {
  /// How a dispatch queue runs an action.
  public struct SchedulerOptions {
    /// The quality of service of the action.
    public var qos: DispatchQoS

    /// How the action is run: as a barrier, for instance.
    public var flags: DispatchWorkItemFlags

    /// The group that an action belongs to until it was run. Repeating actions, which have no end, belong to none.
    public var group: DispatchGroup?

    /// Options that leave everything to the queue, except what is given.
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

  /// Zero: a queue can be held to any tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Submits `action` to the queue.
  ///
  /// `DispatchQueue.main` runs actions only if somebody services it: an asynchronous `main`, `dispatchMain()`, or a
  /// running main run loop.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let job = job(action)
    guard let options else { return async(execute: job) }
    async(group: options.group, qos: options.qos, flags: options.flags, execute: job)
  }

  /// Submits `action` to the queue at `date`, or at once if that is past.
  ///
  /// The tolerance is of no use to the queue, which is as punctual as it can be.
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
  /// Times that pass while the queue is busy or suspended are made up for by one run. An interval that is not
  /// positive means as often as the queue can.
  ///
  /// - Returns: What stops it, when cancelled or when dropped. Once it was cancelled on the queue, if that is serial,
  ///   `action` is not run again; cancelled elsewhere, a run that has begun ends. The action is let go of on the
  ///   queue.
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
    // The queue runs it after it was submitted, and a timer one run after another: nobody else has it by then.
    let transfer = Transfer(action)
    return { transfer.run() }
  }
}

// Flags are a number, and nothing else here is unsafe to send.
extension DispatchQueue.SchedulerOptions: @unchecked Sendable {}

// A block of a queue cannot be taken back, so what waits for it is never left behind.
extension DispatchQueue: BatchingScheduler {}
