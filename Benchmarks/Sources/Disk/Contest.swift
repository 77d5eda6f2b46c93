import Foundation
import RawDisk
import StreamImages

/// Two directories with as many entries each, and what it costs to use them.
struct Contest {
  static let byteCount = 20_000
  static let taskCount = 16
  private static let batch = 2_000

  private let total: Int
  private let cache: DataCache
  /// Over its limit as soon as everything is stored.
  private let sweeper: DataCache
  private let content = CachedData(
    Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }), attributes: ["type": "image"]
  )
  /// The number of the next entry.
  private var next = 0
  private(set) var storing = Race("storing")
  private(set) var hits = Race("hits")
  private(set) var misses = Race("misses")
  private(set) var sweeping = Race("sweeping")
  private(set) var sweepGrowth = Race("memory of sweeping")

  static func held(in directory: URL, total: Int, roundCount: Int) async throws -> Contest {
    var contest = Contest(directory: directory, total: total)
    try await contest.fill()
    for _ in 0..<roundCount { try await contest.round() }
    return contest
  }

  private init(directory: URL, total: Int) {
    self.total = total
    cache = DataCache(directory: directory, sizeLimit: 1 << 50)
    sweeper = DataCache(directory: directory, sizeLimit: 1 << 50, countLimit: total - 10)
  }

  private mutating func fill() async throws {
    // The first store of a run sweeps: not while the clock runs.
    try await cache.prepare()
    await cache.sweep()
    while next < total { try await store(measured: false) }
  }

  /// Sweeps both, fills them again, and reads what is there and what is not.
  private mutating func round() async throws {
    flush()
    var deleted = 0
    let raw = try checked(raw_disk_sweep(total * 7 / 10, &deleted))
    flush()
    let memory = Memory.beginPeak()
    let ours = await seconds { [sweeper] in await sweeper.sweep() }
    sweepGrowth.add(1, raw: 0, ours: Double(Memory.peak - memory))
    let left = await cache.totals().count
    guard abs(total - left - deleted) < 20 else { throw Failure("deleted \(deleted) and \(total - left)") }
    sweeping.add(total, raw: raw, ours: ours)

    let first = next
    while next < first + total * 3 / 10 { try await store(measured: true) }
    for start in stride(from: first, to: next, by: Self.batch) { try await read(start..<start + Self.batch) }
    for batch in 0..<10 { try await miss(batch * Self.batch) }
  }

  // MARK: A batch

  private mutating func store(measured: Bool) async throws {
    let entries = next..<next + Self.batch
    next += Self.batch
    flush()
    let raw = try content.data.withUnsafeBytes {
      try checked(raw_disk_store(entries.lowerBound, entries.count, $0.baseAddress, $0.count))
    }
    flush()
    let keys = entries.map { DataCacheKey("\($0)") }
    let ours = try await seconds { [cache, content] in
      try await concurrently(keys) { try await cache.store(content, for: $0) }
    }
    if measured { storing.add(entries.count, raw: raw, ours: ours) }
  }

  private mutating func read(_ entries: Range<Int>) async throws {
    flush()
    let raw = try checked(raw_disk_hit(entries.map { $0 }, entries.count))
    flush()
    let keys = entries.map { DataCacheKey("\($0)") }
    let ours = try await seconds { [cache] in
      try await concurrently(keys) {
        guard let found = await cache.data(for: $0), found.data.count == Contest.byteCount else {
          throw Failure("an entry is missing")
        }
      }
    }
    hits.add(entries.count, raw: raw, ours: ours)
  }

  private mutating func miss(_ start: Int) async throws {
    // Never stored, and never asked for: the system knows nothing of these names.
    let first = 1_000_000_000 + misses.count * Self.batch
    let raw = try checked(raw_disk_miss(first, Self.batch))
    let keys = (first..<first + Self.batch).map { DataCacheKey("\($0)") }
    let ours = try await seconds { [cache] in
      try await concurrently(keys) {
        if await cache.data(for: $0) != nil { throw Failure("an entry is there that was never stored") }
      }
    }
    misses.add(Self.batch, raw: raw, ours: ours)
  }
}

struct Failure: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

private func checked(_ seconds: Double) throws -> Double {
  guard seconds >= 0 else { throw Failure("C failed") }
  return seconds
}

private func flush() { _ = raw_disk_flush() }

private func seconds(_ work: () async throws -> Void) async rethrows -> Double {
  let start = ContinuousClock.now
  try await work()
  let (seconds, attoseconds) = (ContinuousClock.now - start).components
  return Double(seconds) + Double(attoseconds) / 1e18
}

/// Several tasks that take every so manieth key.
private func concurrently(
  _ keys: [DataCacheKey], _ work: @escaping @Sendable (DataCacheKey) async throws -> Void
) async throws {
  try await withThrowingTaskGroup { group in
    for task in 0..<Contest.taskCount {
      group.addTask {
        for index in stride(from: task, to: keys.count, by: Contest.taskCount) { try await work(keys[index]) }
      }
    }
    try await group.waitForAll()
  }
}
