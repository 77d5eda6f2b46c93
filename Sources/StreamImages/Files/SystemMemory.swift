internal import Foundation

/// How much memory this program may count on.
enum SystemMemory {
  /// The machine's memory, or what the container may have of it.
  static let byteCount: Int = {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    return min(physical, MemoryGauge().limit ?? physical)
  }()
}
