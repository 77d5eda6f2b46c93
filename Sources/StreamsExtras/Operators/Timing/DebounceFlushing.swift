extension Publisher {
  /// Sends a value when no other value has arrived for `dueTime`, and optionally the waiting value when this publisher
  /// finishes.
  ///
  /// ![Marble diagram of debounce-flushing](debounce-flushing.svg)
  ///
  /// `debounce(for:scheduler:options:)` drops the waiting value. Everything is requested from this publisher, and a
  /// value without demand is dropped. Values and the completion are delivered on `scheduler`.
  /// A waiting value does not retain the subscription.
  @_disfavoredOverload
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
    options: Context.SchedulerOptions? = nil, flushesOnCompletion: Bool
  ) -> MorePublishers.DebounceFlushing<Self, Context> {
    MorePublishers.DebounceFlushing(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options,
      flushesOnCompletion: flushesOnCompletion)
  }
}

extension MorePublishers {
  /// The publisher returned by ``Streams/Publisher/debounce(for:scheduler:options:flushesOnCompletion:)``.
  public struct DebounceFlushing<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are delayed.
    public let upstream: Upstream
    /// The time without another value.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers everything.
    public let scheduler: Context
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?
    /// Whether a waiting value is sent when the upstream finishes.
    public let flushesOnCompletion: Bool

    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      OperatorCore.start("Debounce", on: scheduler, options: options, attachesLate: false, for: subscriber) {
        [self] core, hop in
        core.debounce(upstream, for: dueTime, on: scheduler, options, flushes: flushesOnCompletion, hop)
      }
    }
  }
}
