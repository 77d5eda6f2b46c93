extension Publishers {
  /// When ``Publisher/collect(_:options:)`` sends the collected values.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// Sends an array at the end of each interval in which values arrived.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// Sends an array at the end of each interval in which values arrived, and when it contains a number of values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publisher {
  /// Collects values into an array, and sends it at regular intervals.
  ///
  /// ![Marble diagram of collect-by-time](collect-by-time.svg)
  ///
  /// An interval begins when the subscription arrives, and at the end of the previous interval. An array that is sent
  /// because of its count does not begin another one. An interval without values sends nothing. The remaining values are sent when this publisher
  /// finishes, and dropped when it fails. Values without demand are kept, and a normal completion waits for them. Arrays
  /// and the completion are delivered on the scheduler. The timer does not retain the subscription.
  ///
  /// With a count, each requested array requests as many values as fill it. Without a count, values are requested one
  /// after another from the first request on, with or without demand. Traps if a count is less than one.
  @inlinable
  public func collect<Context: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, Context> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are collected.
    public let upstream: Upstream
    /// When the collected values are sent.
    public let strategy: TimeGroupingStrategy<Context>
    /// The options passed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher that `upstream.collect(strategy, options: options)` returns.
    @inlinable
    public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      if case .byTimeOrCount(_, _, let count) = strategy, count < 1 { Violation.emptyGroup(count) }
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let scheduler = strategy.parts.scheduler
      OperatorCore.start("CollectByTime", on: scheduler, options: options, for: subscriber) {
        [self] core, hop in
        core.group(upstream, by: strategy, options, hop)
      }
    }
  }
}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}
