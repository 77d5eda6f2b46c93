import Dispatch
import Foundation
import Streams
import StreamsFoundation

// The names of a package of schedulers, as packages that come before this one have them.

public typealias AnySchedulerOf<Context: Scheduler> = AnyScheduler<
  Context.SchedulerTimeType, Context.SchedulerOptions
>

public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let base: any Scheduler<SchedulerTimeType>
  private let perform: (@escaping () -> Void) -> Void

  public init<Base: Scheduler>(_ base: Base)
  where Base.SchedulerTimeType == SchedulerTimeType, Base.SchedulerOptions == SchedulerOptions {
    self.base = base
    perform = { base.schedule(options: nil, $0) }
  }

  public var now: SchedulerTimeType { base.now }
  public var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }

  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) { perform(action) }

  public func schedule(
    after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) { perform(action) }

  public func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    perform(action)
    return AnyCancellable {}
  }
}

extension Scheduler {
  public func eraseToAnyScheduler() -> AnyScheduler<SchedulerTimeType, SchedulerOptions> {
    AnyScheduler(self)
  }
}

/// Combine has a type of this name as well, so a program writes `.immediate`.
public struct ImmediateScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  public let now: SchedulerTimeType
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

  public func schedule(
    after _: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) { action() }

  public func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
}

public typealias ImmediateSchedulerOf<Context: Scheduler> = ImmediateScheduler<
  Context.SchedulerTimeType, Context.SchedulerOptions
>

extension DispatchQueue {
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    ImmediateScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType, SchedulerOptions == DispatchQueue.SchedulerOptions
{
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

/// Runs at once on the main thread.
public struct UIScheduler: Sendable {
  public static let shared = UIScheduler()
  public let name = "the other package's"
}
