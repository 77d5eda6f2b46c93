internal import Foundation

/// The memory figures of Linux: of the machine, and of the control group of a container.
///
/// Reads `/proc/pressure/memory`, and files of cgroup v2 or v1 for the group of the process and its parents. Each may be
/// missing.
package struct MemoryGauge: Sendable {
  private let root: String

  /// - Parameter root: Where the kernel's file systems are mounted.
  package init(root: String = "") { self.root = root }

  /// How long tasks have waited for memory since the machine started, in microseconds; `nil` without PSI.
  ///
  /// `some`: at least one task waited. `all`: all tasks waited.
  package var stalls: (some: Int, all: Int)? {
    guard let text = text("/proc/pressure/memory") else { return nil }
    var totals: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let kind = words.first, let total = words.first(where: { $0.hasPrefix("total=") }) else {
        continue
      }
      totals[kind] = Int(total.dropFirst("total=".count))
    }
    return totals["some"].map { ($0, totals["full"] ?? 0) }
  }

  /// The lowest limit of the groups of this process, in bytes; `nil` if there is none.
  package var limit: Int? { groups.compactMap(\.limit).min() }

  /// The highest share of its limit that a group uses, without caches that the kernel can drop; `nil` without limits.
  package var share: Double? {
    groups.compactMap { group in
      guard let limit = group.limit, let used = group.used else { return nil }
      return Double(used) / Double(limit)
    }.max()
  }

  private var groups: [(limit: Int?, used: Int?)] { folders.map(group) }

  /// Paths below name the group as the host sees it. In a container, only the root may exist.
  private var folders: [String] {
    var folders: [String] = []
    for line in text("/proc/self/cgroup")?.split(separator: "\n") ?? [] {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isSecond = fields[0] == "0" && fields[1].isEmpty
      guard isSecond || fields[1].split(separator: ",").contains("memory") else { continue }
      let mount = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
      var path = fields[2].split(separator: "/")
      while !path.isEmpty {
        // The kernel writes no path that leads upwards.
        if !path.contains("..") { folders.append("\(mount)/\(path.joined(separator: "/"))") }
        path.removeLast()
      }
    }
    return folders + ["/sys/fs/cgroup", "/sys/fs/cgroup/memory"]
  }

  private func group(_ folder: String) -> (limit: Int?, used: Int?) {
    let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"].compactMap {
      number("\(folder)/\($0)")
    }
    let used = number("\(folder)/memory.current") ?? number("\(folder)/memory.usage_in_bytes")
    // Without a limit, v1 reports the largest multiple of a page.
    return (
      limits.filter { $0 > 0 && $0 < 1 << 60 }.min(), used.map { max(0, $0 - droppable(folder)) }
    )
  }

  /// The pages of files that the kernel can drop at once, whether they were used recently or not: not those of shared
  /// memory, which it keeps in the lists of anonymous pages, and not those that have to be written first (the kernel's
  /// admin-guide/cgroup-v2.rst, `memory.stat`).
  private func droppable(_ folder: String) -> Int {
    var counts: [Substring: Int] = [:]
    for line in text("\(folder)/memory.stat")?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ")
      if words.count == 2 { counts[words[0]] = Int(words[1]) }
    }
    // The totals of v1 include the groups below, as its usage does.
    func count(_ name: String) -> Int { counts["total_\(name)"] ?? counts[Substring(name)] ?? 0 }
    let unwritten = ["file_dirty", "file_writeback", "dirty", "writeback"].map(count).reduce(0, +)
    return max(0, count("inactive_file") + count("active_file") - unwritten)
  }

  private func number(_ path: String) -> Int? {
    text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// These files report a size of zero, so they are read to their end.
  private func text(_ path: String) -> String? {
    guard let file = FileHandle(forReadingAtPath: root + path) else { return nil }
    return (try? file.readToEnd()).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The memory that this program may use.
package enum SystemMemory {
  /// The memory of the machine, or the limit of the container.
  static let byteCount = allowed(
    physical: ProcessInfo.processInfo.physicalMemory, limit: MemoryGauge().limit)

  package static func allowed(physical: UInt64, limit: Int?) -> Int {
    min(Int(clamping: physical), limit ?? .max)
  }
}
