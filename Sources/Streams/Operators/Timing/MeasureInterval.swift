extension Publisher {
  /// Sends the time between one value and the next, as `scheduler` tells it, in place of the values.
  ///
  /// The first interval begins when the subscription arrives. `options` are not used.
  @inlinable
  public func measureInterval<Context: Scheduler>(
    using scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, Context> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// The publisher of ``Publisher/measureInterval(using:options:)``.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    public typealias Output = Context.SchedulerTimeType.Stride
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are timed.
    public let upstream: Upstream
    /// What measures the time.
    public let scheduler: Context

    /// The same as `upstream.measureInterval(using: scheduler)`.
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
