internal import Foundation

/// The memory that this program may use.
enum SystemMemory {
  /// The memory of the machine, or the limit of the container.
  static let byteCount: Int = {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return min(physical, MemoryGauge().limit ?? physical)
  }()
}
