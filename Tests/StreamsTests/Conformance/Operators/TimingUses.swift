import Streams

enum TimingUses<P: Publisher & SendableMetatype, S: Scheduler & SendableMetatype>: Family {
  static var operators: [Use] {
    Use(
      "subscribe(on:options:)",
      P.subscribe(on:options:) as (P) -> (S, S.SchedulerOptions?) -> Publishers.SubscribeOn<P, S>,
      defaults: { (p: P, s: S) in p.subscribe(on: s) })
    Use(
      "measureInterval(using:options:)",
      P.measureInterval(using:options:)
        as (P) -> (S, S.SchedulerOptions?) -> Publishers.MeasureInterval<P, S>,
      defaults: { (p: P, s: S) in p.measureInterval(using: s) })
    Use(
      "collect(_:options:)",
      P.collect(_:options:)
        as (P) -> (Publishers.TimeGroupingStrategy<S>, S.SchedulerOptions?) -> Publishers.CollectByTime<P, S>,
      defaults: { (p: P, s: S) in p.collect(.byTime(s, .seconds(1))) })
    Use(
      "receive(on:options:)",
      P.receive(on:options:) as (P) -> (S, S.SchedulerOptions?) -> Publishers.ReceiveOn<P, S>,
      defaults: { (p: P, s: S) in p.receive(on: s) })
    Use(
      "throttle(for:scheduler:latest:)",
      P.throttle(for:scheduler:latest:)
        as (P) -> (S.SchedulerTimeType.Stride, S, Bool) -> Publishers.Throttle<P, S>)
    Use(
      "debounce(for:scheduler:options:)",
      P.debounce(for:scheduler:options:)
        as (P) -> (S.SchedulerTimeType.Stride, S, S.SchedulerOptions?) -> Publishers.Debounce<P, S>,
      defaults: { (p: P, s: S) in p.debounce(for: 1, scheduler: s) })
    Use(
      "timeout(_:scheduler:options:customError:)",
      P.timeout(_:scheduler:options:customError:)
        as (P) -> (S.SchedulerTimeType.Stride, S, S.SchedulerOptions?, (() -> P.Failure)?) ->
        Publishers.Timeout<P, S>, defaults: { (p: P, s: S) in p.timeout(1, scheduler: s) })
    Use(
      "delay(for:tolerance:scheduler:options:)",
      P.delay(for:tolerance:scheduler:options:)
        as (P) -> (S.SchedulerTimeType.Stride, S.SchedulerTimeType.Stride?, S, S.SchedulerOptions?) ->
        Publishers.Delay<P, S>, defaults: { (p: P, s: S) in p.delay(for: 1, scheduler: s) })
  }

  static var types: [Use] {
    Use("Publishers.SubscribeOn", publishes(Publishers.SubscribeOn<P, S>.self, P.Output.self, P.Failure.self))
    Use(
      "Publishers.MeasureInterval",
      publishes(Publishers.MeasureInterval<P, S>.self, (S.SchedulerTimeType.Stride).self, P.Failure.self))
    Use(
      "Publishers.CollectByTime",
      publishes(Publishers.CollectByTime<P, S>.self, [P.Output].self, P.Failure.self))
    Use("Publishers.ReceiveOn", publishes(Publishers.ReceiveOn<P, S>.self, P.Output.self, P.Failure.self))
    Use("Publishers.Throttle", publishes(Publishers.Throttle<P, S>.self, P.Output.self, P.Failure.self))
    Use("Publishers.Debounce", publishes(Publishers.Debounce<P, S>.self, P.Output.self, P.Failure.self))
    Use("Publishers.Timeout", publishes(Publishers.Timeout<P, S>.self, P.Output.self, P.Failure.self))
    Use("Publishers.Delay", publishes(Publishers.Delay<P, S>.self, P.Output.self, P.Failure.self))
    Use("Publishers.TimeGroupingStrategy", Publishers.TimeGroupingStrategy<S>.self)
  }

  static var members: [Use] {
    Use("Publishers.SubscribeOn.upstream", \.upstream as KeyPath<Publishers.SubscribeOn<P, S>, P>)
    Use("Publishers.SubscribeOn.scheduler", \.scheduler as KeyPath<Publishers.SubscribeOn<P, S>, S>)
    Use(
      "Publishers.SubscribeOn.options",
      \.options as KeyPath<Publishers.SubscribeOn<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.SubscribeOn.init(upstream:scheduler:options:)",
      Publishers.SubscribeOn<P, S>.init(upstream:scheduler:options:)
        as (P, S, S.SchedulerOptions?) -> Publishers.SubscribeOn<P, S>)
    Use(
      "Publishers.MeasureInterval.Output",
      Publishers.MeasureInterval<P, S>.Output.self as (S.SchedulerTimeType.Stride).Type)
    Use("Publishers.MeasureInterval.upstream", \.upstream as KeyPath<Publishers.MeasureInterval<P, S>, P>)
    Use("Publishers.MeasureInterval.scheduler", \.scheduler as KeyPath<Publishers.MeasureInterval<P, S>, S>)
    Use(
      "Publishers.MeasureInterval.init(upstream:scheduler:)",
      Publishers.MeasureInterval<P, S>.init(upstream:scheduler:) as (P, S) -> Publishers.MeasureInterval<P, S>
    )
    Use("Publishers.CollectByTime.Output", Publishers.CollectByTime<P, S>.Output.self as [P.Output].Type)
    Use("Publishers.CollectByTime.upstream", \.upstream as KeyPath<Publishers.CollectByTime<P, S>, P>)
    Use(
      "Publishers.CollectByTime.strategy",
      \.strategy as KeyPath<Publishers.CollectByTime<P, S>, Publishers.TimeGroupingStrategy<S>>)
    Use(
      "Publishers.CollectByTime.options",
      \.options as KeyPath<Publishers.CollectByTime<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.CollectByTime.init(upstream:strategy:options:)",
      Publishers.CollectByTime<P, S>.init(upstream:strategy:options:)
        as (P, Publishers.TimeGroupingStrategy<S>, S.SchedulerOptions?) -> Publishers.CollectByTime<P, S>)
    Use("Publishers.ReceiveOn.upstream", \.upstream as KeyPath<Publishers.ReceiveOn<P, S>, P>)
    Use("Publishers.ReceiveOn.scheduler", \.scheduler as KeyPath<Publishers.ReceiveOn<P, S>, S>)
    Use("Publishers.ReceiveOn.options", \.options as KeyPath<Publishers.ReceiveOn<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.ReceiveOn.init(upstream:scheduler:options:)",
      Publishers.ReceiveOn<P, S>.init(upstream:scheduler:options:)
        as (P, S, S.SchedulerOptions?) -> Publishers.ReceiveOn<P, S>)
    Use("Publishers.Throttle.upstream", \.upstream as KeyPath<Publishers.Throttle<P, S>, P>)
    Use(
      "Publishers.Throttle.interval",
      \.interval as KeyPath<Publishers.Throttle<P, S>, S.SchedulerTimeType.Stride>)
    Use("Publishers.Throttle.scheduler", \.scheduler as KeyPath<Publishers.Throttle<P, S>, S>)
    Use("Publishers.Throttle.latest", \.latest as KeyPath<Publishers.Throttle<P, S>, Bool>)
    Use(
      "Publishers.Throttle.init(upstream:interval:scheduler:latest:)",
      Publishers.Throttle<P, S>.init(upstream:interval:scheduler:latest:)
        as (P, S.SchedulerTimeType.Stride, S, Bool) -> Publishers.Throttle<P, S>)
    Use("Publishers.Debounce.upstream", \.upstream as KeyPath<Publishers.Debounce<P, S>, P>)
    Use(
      "Publishers.Debounce.dueTime",
      \.dueTime as KeyPath<Publishers.Debounce<P, S>, S.SchedulerTimeType.Stride>)
    Use("Publishers.Debounce.scheduler", \.scheduler as KeyPath<Publishers.Debounce<P, S>, S>)
    Use("Publishers.Debounce.options", \.options as KeyPath<Publishers.Debounce<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.Debounce.init(upstream:dueTime:scheduler:options:)",
      Publishers.Debounce<P, S>.init(upstream:dueTime:scheduler:options:)
        as (P, S.SchedulerTimeType.Stride, S, S.SchedulerOptions?) -> Publishers.Debounce<P, S>)
    Use("Publishers.Timeout.upstream", \.upstream as KeyPath<Publishers.Timeout<P, S>, P>)
    Use(
      "Publishers.Timeout.interval",
      \.interval as KeyPath<Publishers.Timeout<P, S>, S.SchedulerTimeType.Stride>)
    Use("Publishers.Timeout.scheduler", \.scheduler as KeyPath<Publishers.Timeout<P, S>, S>)
    Use("Publishers.Timeout.options", \.options as KeyPath<Publishers.Timeout<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.Timeout.customError", \.customError as KeyPath<Publishers.Timeout<P, S>, (() -> P.Failure)?>
    )
    Use(
      "Publishers.Timeout.init(upstream:interval:scheduler:options:customError:)",
      Publishers.Timeout<P, S>.init(upstream:interval:scheduler:options:customError:)
        as (P, S.SchedulerTimeType.Stride, S, S.SchedulerOptions?, (() -> P.Failure)?) ->
        Publishers.Timeout<P, S>)
    Use("Publishers.Delay.upstream", \.upstream as KeyPath<Publishers.Delay<P, S>, P>)
    Use(
      "Publishers.Delay.interval", \.interval as KeyPath<Publishers.Delay<P, S>, S.SchedulerTimeType.Stride>)
    Use(
      "Publishers.Delay.tolerance", \.tolerance as KeyPath<Publishers.Delay<P, S>, S.SchedulerTimeType.Stride>
    )
    Use("Publishers.Delay.scheduler", \.scheduler as KeyPath<Publishers.Delay<P, S>, S>)
    Use("Publishers.Delay.options", \.options as KeyPath<Publishers.Delay<P, S>, S.SchedulerOptions?>)
    Use(
      "Publishers.Delay.init(upstream:interval:tolerance:scheduler:options:)",
      Publishers.Delay<P, S>.init(upstream:interval:tolerance:scheduler:options:)
        as (P, S.SchedulerTimeType.Stride, S.SchedulerTimeType.Stride, S, S.SchedulerOptions?) ->
        Publishers.Delay<P, S>,
      defaults: { (p: P, s: S) in Publishers.Delay(upstream: p, interval: 1, tolerance: 0, scheduler: s) })
    Use(
      "Publishers.TimeGroupingStrategy.byTime",
      Publishers.TimeGroupingStrategy<S>.byTime
        as (S, S.SchedulerTimeType.Stride) -> Publishers.TimeGroupingStrategy<S>)
    Use(
      "Publishers.TimeGroupingStrategy.byTimeOrCount",
      Publishers.TimeGroupingStrategy<S>.byTimeOrCount
        as (S, S.SchedulerTimeType.Stride, Int) -> Publishers.TimeGroupingStrategy<S>)
  }
}
