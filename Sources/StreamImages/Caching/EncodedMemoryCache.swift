internal import Streams

/// Keeps recently used bytes in memory, in front of a disk cache or alone.
///
/// It is a second level below ``ImageCache``: encoded bytes usually take less memory than pixels. Changes by other
/// processes to entries that are in memory are not noticed.
///
/// - Complexity: Reading an entry in memory is O(1).
public final class EncodedMemoryCache: DataCaching {
  private let clock: ClockCache<DataCacheKey, CachedData>
  private let disk: (any DataCaching)?
  private let reads = Guarded(DiskReads())

  /// Creates a memory cache, in front of `disk` if there is one.
  ///
  /// - Parameters:
  ///   - disk: Read when an entry is not in memory, and updated on every change. `nil` for none.
  ///   - byteLimit: The largest total size in bytes. One entry must stay below a quarter of it.
  ///   - countLimit: The largest number of entries.
  public init(over disk: (any DataCaching)?, byteLimit: Int = 32 << 20, countLimit: Int = 1_000) {
    self.disk = disk
    clock = ClockCache(costLimit: byteLimit, countLimit: countLimit)
  }

  public func data(for key: DataCacheKey) async -> CachedData? {
    if let here = clock.value(for: key) { return here }
    guard let disk else { return nil }
    let number = reads.withLock { $0.begin(key) }
    let found = await disk.data(for: key)
    // In one step, so that a removal comes before or after both.
    let gone = reads.withLock { reads in
      reads.end(number) ? found.map { keep($0, for: key) } : nil
    }
    withExtendedLifetime(gone) {}
    return found
  }

  public func immediateData(for key: DataCacheKey) -> CachedData? { clock.hit(for: key) }

  /// Stores the entry in memory, if it is small enough, and on disk. Throws what the disk cache throws; the entry in memory
  /// is kept even then.
  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    reads.withLock { $0.beginChange(of: key) }
    defer { reads.withLock { $0.endChange(of: key) } }
    keep(data, for: key)
    try await disk?.store(data, for: key)
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    if clock.value(for: key) != nil { return true }
    return await disk?.contains(key) ?? false
  }

  public func remove(_ key: DataCacheKey) async {
    reads.withLock { $0.beginChange(of: key) }
    defer { reads.withLock { $0.endChange(of: key) } }
    clock.remove(key)
    await disk?.remove(key)
  }

  public func removeAll() async {
    reads.withLock { $0.beginChangeOfAll() }
    defer { reads.withLock { $0.endChangeOfAll() } }
    clock.removeAll()
    await disk?.removeAll()
  }

  /// Counters of the memory cache, without the disk cache.
  public var statistics: CacheStatistics { clock.statistics }

  /// The total size of the entries in memory, in bytes.
  public var totalCost: Int { clock.totals.cost }

  @discardableResult
  private func keep(_ data: CachedData, for key: DataCacheKey) -> [CachedData] {
    clock.insert(data, for: key, cost: data.data.count + 1)
  }
}

/// Reads and changes of a disk in flight. The result of a read may be outdated if the entry is changed meanwhile.
private struct DiskReads: Sendable {
  /// The reads that no change has overlapped.
  private var current: [UInt64: DataCacheKey] = [:]
  private var last: UInt64 = 0
  /// The number of changes in flight of each key, and of all keys.
  private var changes: [DataCacheKey: Int] = [:]
  private var changesOfAll = 0

  mutating func begin(_ key: DataCacheKey) -> UInt64 {
    last += 1
    if changesOfAll == 0, changes[key] == nil { current[last] = key }
    return last
  }

  /// - Returns: Whether no change has overlapped the read.
  mutating func end(_ number: UInt64) -> Bool { current.removeValue(forKey: number) != nil }

  mutating func beginChange(of key: DataCacheKey) {
    changes[key, default: 0] += 1
    if !current.isEmpty { current = current.filter { $0.value != key } }
  }

  mutating func endChange(of key: DataCacheKey) {
    let count = changes[key]! - 1
    changes[key] = count == 0 ? nil : count
  }

  mutating func beginChangeOfAll() {
    changesOfAll += 1
    current = [:]
  }

  mutating func endChangeOfAll() { changesOfAll -= 1 }
}
