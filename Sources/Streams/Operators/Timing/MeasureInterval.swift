extension Publisher {
  /// Sends the time between consecutive values, as measured by `scheduler`, in place of the values.
  ///
  /// ![Marble diagram of measure-interval](measure-interval.svg)
  ///
  /// The first interval begins when a subscriber subscribes. `options` has no effect.
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
      upstream.relay(through: MeasureIntervalStage(scheduler), to: subscriber)
    }
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}

@frozen @usableFromInline
struct MeasureIntervalStage<Input, Context: Scheduler>: Stage {
  @inlinable static var name: String { "MeasureInterval" }

  @usableFromInline let scheduler: Context

  @inlinable
  init(_ scheduler: Context) { self.scheduler = scheduler }

  @inlinable var initial: Context.SchedulerTimeType { scheduler.now }

  @inlinable
  func receive(_: Input, _ last: inout Context.SchedulerTimeType) -> Step<Context.SchedulerTimeType.Stride> {
    let now = scheduler.now
    defer { last = now }
    return .emit(last.distance(to: now))
  }
}
