import Streams

enum SchedulersUses<S: Scheduler & SendableMetatype, I: SchedulerTimeIntervalConvertible & SendableMetatype>:
  Family
{
  typealias Time = S.SchedulerTimeType
  typealias Stride = S.SchedulerTimeType.Stride
  typealias Action = () -> Void

  static var types: [Use] {
    Use("Scheduler", { (scheduler: S) in scheduler as any Scheduler<S.SchedulerTimeType> })
    Use(
      "SchedulerTimeIntervalConvertible", { (it: Stride) in it as any SchedulerTimeIntervalConvertible })
  }

  static var members: [Use] {
    Use("Scheduler.SchedulerTimeType", { (time: Time) in time as any Strideable })
    Use("Scheduler.SchedulerOptions", S.SchedulerOptions.self)
    Use("Scheduler.now", \.now as KeyPath<S, Time>)
    Use("Scheduler.minimumTolerance", \.minimumTolerance as KeyPath<S, Stride>)
    Use(
      "Scheduler.schedule(options:_:)",
      S.schedule(options:_:) as (S) -> (S.SchedulerOptions?, @escaping Action) -> Void)
    Use(
      "Scheduler.schedule(after:tolerance:options:_:)",
      S.schedule(after:tolerance:options:_:)
        as (S) -> (Time, Stride, S.SchedulerOptions?, @escaping Action) -> Void)
    Use(
      "Scheduler.schedule(after:interval:tolerance:options:_:)",
      S.schedule(after:interval:tolerance:options:_:)
        as (S) -> (Time, Stride, Stride, S.SchedulerOptions?, @escaping Action) -> any Cancellable)
    Use("Scheduler.schedule(after:_:)", S.schedule(after:_:) as (S) -> (Time, @escaping Action) -> Void)
    Use("Scheduler.schedule(_:)", S.schedule(_:) as (S) -> (@escaping Action) -> Void)
    Use(
      "Scheduler.schedule(after:tolerance:_:)",
      S.schedule(after:tolerance:_:) as (S) -> (Time, Stride, @escaping Action) -> Void)
    Use(
      "Scheduler.schedule(after:interval:tolerance:_:)",
      S.schedule(after:interval:tolerance:_:)
        as (S) -> (Time, Stride, Stride, @escaping Action) -> any Cancellable)
    Use(
      "Scheduler.schedule(after:interval:_:)",
      S.schedule(after:interval:_:) as (S) -> (Time, Stride, @escaping Action) -> any Cancellable)
    Use("SchedulerTimeIntervalConvertible.seconds(_: Int)", I.seconds(_:) as (Int) -> I)
    Use("SchedulerTimeIntervalConvertible.seconds(_: Double)", I.seconds(_:) as (Double) -> I)
    Use("SchedulerTimeIntervalConvertible.milliseconds(_:)", I.milliseconds(_:) as (Int) -> I)
    Use("SchedulerTimeIntervalConvertible.microseconds(_:)", I.microseconds(_:) as (Int) -> I)
    Use("SchedulerTimeIntervalConvertible.nanoseconds(_:)", I.nanoseconds(_:) as (Int) -> I)
  }
}

enum ImmediatelyUses<Number: BinaryInteger & SendableMetatype>: Family {
  typealias Immediate = ImmediateScheduler
  typealias Time = ImmediateScheduler.SchedulerTimeType
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
  typealias Action = () -> Void

  static var types: [Use] {
    Use("ImmediateScheduler", { (scheduler: Immediate) in scheduler as any Scheduler<Time> })
    Use("ImmediateScheduler.SchedulerTimeType", { (time: Time) in time as any Strideable })
    Use(
      "ImmediateScheduler.SchedulerTimeType.Stride",
      { (stride: Stride) in
        stride
          as any ExpressibleByFloatLiteral & Comparable & SignedNumeric & Codable
          & SchedulerTimeIntervalConvertible
      })
  }

  static var members: [Use] {
    Use("ImmediateScheduler.SchedulerOptions", Immediate.SchedulerOptions.self as Never.Type)
    Use("ImmediateScheduler.shared", Immediate.shared as Immediate)
    Use(
      "ImmediateScheduler.schedule(options:_:)",
      Immediate.schedule(options:_:) as (Immediate) -> (Never?, @escaping Action) -> Void)
    Use("ImmediateScheduler.now", \.now as KeyPath<Immediate, Time>)
    Use("ImmediateScheduler.minimumTolerance", \.minimumTolerance as KeyPath<Immediate, Stride>)
    Use(
      "ImmediateScheduler.schedule(after:tolerance:options:_:)",
      Immediate.schedule(after:tolerance:options:_:)
        as (Immediate) -> (Time, Stride, Never?, @escaping Action) -> Void)
    Use(
      "ImmediateScheduler.schedule(after:interval:tolerance:options:_:)",
      Immediate.schedule(after:interval:tolerance:options:_:)
        as (Immediate) -> (Time, Stride, Stride, Never?, @escaping Action) -> any Cancellable)
    Use(
      "ImmediateScheduler.SchedulerTimeType.distance(to:)",
      Time.distance(to:) as (Time) -> (Time) -> Stride)
    Use(
      "ImmediateScheduler.SchedulerTimeType.advanced(by:)",
      Time.advanced(by:) as (Time) -> (Stride) -> Time)
    Use("Stride.FloatLiteralType", Stride.FloatLiteralType.self as Double.Type)
    Use("Stride.IntegerLiteralType", Stride.IntegerLiteralType.self as Int.Type)
    Use("Stride.Magnitude", Stride.Magnitude.self as Int.Type)
    Use("Stride.magnitude", \.magnitude as WritableKeyPath<Stride, Int>)
    Use("Stride.init(_:)", Stride.init(_:) as (Int) -> Stride)
    Use("Stride.init(integerLiteral:)", Stride.init(integerLiteral:) as (Int) -> Stride)
    Use("Stride.init(floatLiteral:)", Stride.init(floatLiteral:) as (Double) -> Stride)
    Use("Stride.init(exactly:)", Stride.init(exactly:) as (Number) -> Stride?)
    Use("Stride <", (<) as (Stride, Stride) -> Bool)
    Use("Stride *", (*) as (Stride, Stride) -> Stride)
    Use("Stride +", (+) as (Stride, Stride) -> Stride)
    Use("Stride -", (-) as (Stride, Stride) -> Stride)
    Use("Stride -=", (-=) as (inout Stride, Stride) -> Void)
    Use("Stride *=", (*=) as (inout Stride, Stride) -> Void)
    Use("Stride +=", (+=) as (inout Stride, Stride) -> Void)
    Use("Stride.seconds(_: Int)", Stride.seconds(_:) as (Int) -> Stride)
    Use("Stride.seconds(_: Double)", Stride.seconds(_:) as (Double) -> Stride)
    Use("Stride.milliseconds(_:)", Stride.milliseconds(_:) as (Int) -> Stride)
    Use("Stride.microseconds(_:)", Stride.microseconds(_:) as (Int) -> Stride)
    Use("Stride.nanoseconds(_:)", Stride.nanoseconds(_:) as (Int) -> Stride)
    Use("Stride ==", (==) as (Stride, Stride) -> Bool)
    Use("Stride.encode(to:)", Stride.encode(to:) as (Stride) -> (any Encoder) throws -> Void)
    Use("Stride.init(from:)", Stride.init(from:) as (any Decoder) throws -> Stride)
  }
}
