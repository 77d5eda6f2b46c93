import Foundation
import StreamImages
import Testing

@Suite("`MemoryGauge`")
struct MemoryGaugeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A machine with these files of the kernel.
  private func gauge(_ files: [String: String]) throws -> MemoryGauge {
    let root = folder.url.appending(path: UUID().uuidString)
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return MemoryGauge(root: root.path)
  }

  @Test("Stalls of all tasks count as none if the kernel does not report them")
  func stalls() throws {
    for (text, some, all) in [
      ("some avg10=0.00 total=7\nfull avg10=0.00 total=3\n", 7, 3), ("some avg10=0.00 total=7\n", 7, 0),
      ("full total=3\nsome total=7", 7, 3), ("full total=x\nsome total=0", 0, 0),
    ] {
      let stalls = try #require(try gauge(["proc/pressure/memory": text]).stalls)
      #expect(stalls == (some, all), "\(text)")
    }
    #expect(try gauge(["proc/pressure/memory": "full total=3\n"]).stalls == nil)
  }

  @Test("A limit counts if it is positive and below the value for none")
  func limits() throws {
    for (text, limit) in [
      ("-1", nil), ("0", nil), ("1", 1), ("2", 2), ("1152921504606846975", (1 << 60) - 1),
      ("1152921504606846976", nil), ("max", nil),
    ] as [(String, Int?)] {
      for file in ["memory.max", "memory.high", "memory/memory.limit_in_bytes"] {
        #expect(try gauge(["sys/fs/cgroup/\(file)": text]).limit == limit, "\(file) \(text)")
      }
    }
  }

  @Test("Only groups of cgroup v2 and of the memory controller of v1 have limits")
  func groups() throws {
    for (line, folder) in [
      ("0::/a", "sys/fs/cgroup/a"), ("7:memory:/a", "sys/fs/cgroup/memory/a"),
      ("7:cpu,memory:/a", "sys/fs/cgroup/memory/a"), ("7:memory,cpu:/a:b", "sys/fs/cgroup/memory/a:b"),
      ("0::/a/b/c", "sys/fs/cgroup/a"), ("0::/a/b/c", "sys/fs/cgroup/a/b"),
      ("7:cpu:/x\n0::/a", "sys/fs/cgroup/a"), ("7\n\n7:memory\n0::/a", "sys/fs/cgroup/a"),
    ] {
      #expect(
        try gauge(["proc/self/cgroup": line, "\(folder)/memory.max": "5"]).limit == 5, "\(line) \(folder)")
    }
    for line in [
      "7::/a", "0:name:/a", "7:name:/a", "7:memories:/a", "memory:cpu:/a", "1:0:/a", "0::/b", "0::/",
    ] {
      for folder in ["sys/fs/cgroup/a", "sys/fs/cgroup/memory/a"] {
        #expect(
          try gauge(["proc/self/cgroup": line, "\(folder)/memory.max": "5"]).limit == nil, "\(line) \(folder)"
        )
      }
    }
    #expect(
      try gauge(["proc/self/cgroup": "7:memory:/a", "sys/fs/cgroup/a/memory.max": "5"]).limit == nil)
    #expect(
      try gauge(["proc/self/cgroup": "0::/a", "sys/fs/cgroup/memory/a/memory.max": "5"]).limit == nil)
  }

  @Test("A path of a group that leads upwards is not followed")
  func upwards() throws {
    let files = ["proc/self/cgroup": "0::/../../a", "sys/a/memory.max": "5", "sys/fs/cgroup/b": ""]
    #expect(try gauge(files).limit == nil)
  }

  @Test("The share is of what cannot be dropped, is not negative, and is the highest of all groups")
  func share() throws {
    for (used, stat, share) in [
      ("50", nil, 0.5), ("50", "inactive_file 20", 0.3), ("50", "inactive_file 50", 0),
      ("50", "inactive_file 51", 0),
      ("50", "inactive_file x", 0.5), ("50", "anon 20\ntotal_inactive_file 10\ninactive_file 20\n", 0.4),
      ("50", "inactive_file 20\ntotal_inactive_file 10", 0.4), ("50", "my_inactive_file 20", 0.5),
      ("0", nil, 0),
      ("x", nil, nil),
    ] as [(String, String?, Double?)] {
      var files = ["sys/fs/cgroup/memory.max": "100", "sys/fs/cgroup/memory.current": used]
      files["sys/fs/cgroup/memory.stat"] = stat

      #expect(try gauge(files).share == share, "\(used) \(stat ?? "")")
    }
    let two = try gauge([
      "sys/fs/cgroup/memory.max": "100", "sys/fs/cgroup/memory.current": "20",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "10", "sys/fs/cgroup/memory/memory.usage_in_bytes": "3",
    ])
    #expect(two.share == 0.3 && two.limit == 10)
  }

  @Test("Pages of files can be dropped, however recently they were used, unless they must be written first")
  func files() throws {
    let second =
      "anon 20\nfile 70\nshmem 5\nfile_dirty 3\nfile_writeback 2\ninactive_file 25\nactive_file 40\n"
    let first = """
      cache 70\ndirty 1\nwriteback 1\ninactive_file 1\nactive_file 1
      total_dirty 3\ntotal_writeback 2\ntotal_inactive_file 25\ntotal_active_file 40\n
      """
    for (stat, share) in [
      (second, 0.4), (first, 0.4), ("active_file 40", 0.6), ("active_file 10\nfile_dirty 20", 1),
      ("active_file 101", 0), ("file 70\nshmem 70", 1), ("active_file 40 5\nactive_file", 1),
    ] as [(String, Double)] {
      let gauge = try gauge([
        "sys/fs/cgroup/memory.max": "100", "sys/fs/cgroup/memory.current": "100",
        "sys/fs/cgroup/memory.stat": stat,
      ])

      #expect(gauge.share == share, "\(stat)")
    }
  }

  @Test("A program may use the memory of its machine, or less if its container has a lower limit")
  func memory() {
    for (physical, limit, allowed) in [
      (100, nil, 100), (100, 99, 99), (100, 101, 100), (.max, nil, Int.max), (.max, 5, 5),
    ] as [(UInt64, Int?, Int)] {
      #expect(SystemMemory.allowed(physical: physical, limit: limit) == allowed)
    }
  }
}
