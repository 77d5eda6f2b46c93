public import Streams
internal import StreamsFoundation

/// How short memory is.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// There is enough.
  case normal
  /// Others have begun to wait for memory, or the container has used five sixths of its own.
  case warning
  /// Hardly anything but waiting goes on, or the container is about to be ended.
  case critical

  /// What the machine says, once every two seconds as long as somebody listens: every time it is short, and once when
  /// it no longer is.
  ///
  /// Read from the pressure figures of the kernel and the limits of the control group. Where neither is to be had,
  /// it says nothing. Values arrive on a thread of the system.
  public static var system: AnyPublisher<MemoryPressure, Never> { MemoryWatch.shared.publisher }

  public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool {
    left.rawValue < right.rawValue
  }
}
