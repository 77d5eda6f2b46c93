package import Dispatch
internal import Interleavings
package import Streams

/// In place of Dispatch's serial queue: a servant of the explorer does its work, in order. It has one from its first work
/// on.
package final class DispatchQueue: @unchecked Sendable {  // fibers share one thread
  private lazy var fiber = TaskFibers.shared.assign()

  package init(label _: String) {}

  package func async(_ work: @escaping @Sendable () -> Void) { TaskFibers.shared.enqueue(on: fiber, work) }

  /// At any later time.
  package func asyncAfter(deadline _: DispatchTime, _ work: @escaping @Sendable () -> Void) { async(work) }
}

/// Time does not pass by itself: it is that of what was due last.
extension DispatchQueue: Scheduler {
  package struct SchedulerTimeType: Strideable, Sendable {
    let nanoseconds: Int

    package func distance(to other: Self) -> Stride { Stride(magnitude: other.nanoseconds - nanoseconds) }
    package func advanced(by stride: Stride) -> Self { Self(nanoseconds: nanoseconds + stride.magnitude) }

    package struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
      package var magnitude: Int

      package init(magnitude: Int) { self.magnitude = magnitude }
      package init(integerLiteral value: Int) { magnitude = value }
      package init?<Source: BinaryInteger>(exactly source: Source) { magnitude = Int(source) }
      package static func < (one: Self, other: Self) -> Bool { one.magnitude < other.magnitude }
      package static func + (one: Self, other: Self) -> Self {
        Self(magnitude: one.magnitude + other.magnitude)
      }
      package static func - (one: Self, other: Self) -> Self {
        Self(magnitude: one.magnitude - other.magnitude)
      }
      package static func * (one: Self, other: Self) -> Self {
        Self(magnitude: one.magnitude * other.magnitude)
      }
      package static func *= (one: inout Self, other: Self) { one = one * other }
      package static func seconds(_ count: Int) -> Self { Self(magnitude: count * 1_000_000_000) }
      package static func seconds(_ count: Double) -> Self { Self(magnitude: Int(count * 1e9)) }
      package static func milliseconds(_ count: Int) -> Self { Self(magnitude: count * 1_000_000) }
      package static func microseconds(_ count: Int) -> Self { Self(magnitude: count * 1000) }
      package static func nanoseconds(_ count: Int) -> Self { Self(magnitude: count) }
    }
  }

  package typealias SchedulerOptions = Never

  package var now: SchedulerTimeType { SchedulerTimeType(nanoseconds: TaskFibers.shared.nanoseconds) }
  package var minimumTolerance: SchedulerTimeType.Stride { 0 }

  package func schedule(options _: Never?, _ action: @escaping () -> Void) {
    TaskFibers.shared.enqueue(on: fiber, action)
  }

  package func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) {
    TaskFibers.shared.enqueue(on: fiber) {
      TaskFibers.shared.nanoseconds = max(TaskFibers.shared.nanoseconds, date.nanoseconds)
      action()
    }
  }

  package func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    fatalError("Nothing explored repeats an action.")
  }
}
