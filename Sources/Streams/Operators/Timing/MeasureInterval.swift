extension Publisher {
  /// Sends the time between consecutive values, as measured by `scheduler`, in place of the values.
  ///
  /// ![Marble diagram of measure-interval](measure-interval.svg)
  ///
  /// The first interval begins when the subscription arrives. `options` has no effect.
  @inlinable
  public func measureInterval<Context: Scheduler>(
    using scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, Context> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// The publisher returned by ``Publisher/measureInterval(using:options:)``.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are timed.
    public let upstream: Upstream
    /// The scheduler that measures the time.
    public let scheduler: Context

    /// Creates the publisher that `upstream.measureInterval(using: scheduler)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    @inlinable @_transparent
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let stage = MeasureIntervalStage<Upstream.Output, Context>(scheduler)
      upstream.relay(through: stage, to: MeasureIntervalSubscriber(downstream: subscriber, stage: stage))
    }
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}

@frozen @usableFromInline
struct MeasureIntervalStage<Input, Context: Scheduler>: Stage {
  @inlinable static var name: String { "MeasureInterval" }

  @usableFromInline let scheduler: Context
  @usableFromInline let arrival = Guarded(Context.SchedulerTimeType?.none)

  @inlinable
  init(_ scheduler: Context) { self.scheduler = scheduler }

  /// The time of the last value.
  @inlinable var initial: Context.SchedulerTimeType? { nil }

  @inlinable
  func receive(_: Input, _ last: inout Context.SchedulerTimeType?) -> Step<Context.SchedulerTimeType.Stride> {
    let now = scheduler.now
    let start = last ?? arrival.withLock { $0 } ?? now
    last = now
    return .emit(start.distance(to: now))
  }
}

/// Stores the time at which the subscription arrives: the memory of a stage begins when the subscriber subscribes.
@frozen @usableFromInline
struct MeasureIntervalSubscriber<Value, Context: Scheduler, Downstream: Subscriber>: StatelessSubscriber
where Downstream.Input == Context.SchedulerTimeType.Stride {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let stage: MeasureIntervalStage<Value, Context>

  @inlinable
  init(downstream: Downstream, stage: MeasureIntervalStage<Value, Context>) {
    self.downstream = downstream
    self.stage = stage
  }

  @inlinable
  func receive(subscription: any Subscription) {
    let now = stage.scheduler.now
    stage.arrival.withLock { $0 = now }
    downstream.receive(subscription: subscription)
  }
}
