internal import Foundation

/// How much memory this program may count on.
enum SystemMemory {
  /// The machine's memory, or what the container may have of it.
  static let byteCount: Int = {
    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    let limits = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
    return limits.compactMap(limit).reduce(physical) { min($0, $1) }
  }()

  /// `nil` if there is no such file, or no limit.
  private static func limit(in path: String) -> Int? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
