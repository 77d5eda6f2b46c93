internal import Foundation

/// The memory that this program may use.
package enum SystemMemory {
  /// The memory of the machine, or the limit of the container.
  static let byteCount = allowed(
    physical: ProcessInfo.processInfo.physicalMemory, limit: MemoryGauge().limit)

  package static func allowed(physical: UInt64, limit: Int?) -> Int {
    min(Int(clamping: physical), limit ?? .max)
  }
}
