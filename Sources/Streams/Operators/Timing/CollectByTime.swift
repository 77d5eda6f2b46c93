extension Publishers {
  /// When ``Publisher/collect(_:options:)`` sends what it has collected.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// At the end of each interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// At the end of each interval, and when there are so many values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }
}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publisher {
  /// Collects values, and sends them as an array from time to time.
  ///
  /// An interval begins when the subscription arrives, and after each array by count. An interval without values
  /// sends nothing. What is left is sent when upstream finishes, and thrown away when it fails. Values that have not
  /// been asked for are kept, and so is the end until they are. Everything is delivered on the scheduler.
  ///
  /// Each array that is asked for asks upstream for as many values as fill it. Without a count upstream is asked for
  /// one value after another, whether or not there is demand. Traps if a count is less than one.
  @inlinable
  public func collect<Context: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, Context> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/collect(_:options:)``.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are gathered.
    public let upstream: Upstream
    /// When what has been gathered is sent.
    public let strategy: TimeGroupingStrategy<Context>
    /// Handed to the scheduler.
    public let options: Context.SchedulerOptions?

    /// The same as `upstream.collect(strategy, options: options)`.
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
      upstream.subscribe(TimeGrouping<Upstream.Output, _, _>(strategy, options: options, to: subscriber))
    }
  }
}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}
