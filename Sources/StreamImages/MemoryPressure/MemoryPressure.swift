public import Streams
internal import StreamsFoundation

/// How short memory is.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// There is enough memory.
  case normal
  /// Some tasks wait for memory at least a tenth of the time, or the container uses at least five sixths of its limit.
  case warning
  /// All tasks wait for memory at least a tenth of the time, or the container uses at least 95 % of its limit.
  case critical

  /// A publisher of the system's memory pressure. It reports pressure about every two seconds while it lasts, and its
  /// end once.
  ///
  /// It reads the pressure figures of the kernel and the limits of the control group, while there is a subscriber. If
  /// neither exists, it publishes nothing. Values arrive on a Dispatch thread.
  public static var system: AnyPublisher<MemoryPressure, Never> { MemoryMonitor.shared.publisher }

  public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool {
    left.rawValue < right.rawValue
  }
}
