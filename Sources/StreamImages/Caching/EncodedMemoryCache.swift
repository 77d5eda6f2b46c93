/// Keeps recently used bytes in memory, in front of a disk cache or alone.
///
/// It is a second level below ``ImageCache``: encoded bytes usually take less memory than pixels. Changes by other
/// processes to entries that are in memory are not noticed.
///
/// - Complexity: Reading an entry in memory is O(1).
public final class EncodedMemoryCache: DataCaching {
  private let clock: ClockCache<DataCacheKey, CachedData>
  private let disk: (any DataCaching)?
  /// A change revokes the permits of reads in progress to keep what they found.
  private let permits = StorePermits<DataCacheKey?>()

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
    let permit = permits.permit()
    guard let found = await disk.data(for: key) else { return nil }
    permit.write(to: key) { keep(found, for: key) }
    return found
  }

  public func immediateData(for key: DataCacheKey) -> CachedData? { clock.hit(for: key) }

  /// Stores the entry in memory, if it is small enough, and on disk. Throws what the disk cache throws; the entry in memory
  /// is kept even then.
  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    try await permits.remove([key]) { () throws(DataCacheError) in
      keep(data, for: key)
      try await disk?.store(data, for: key)
    }
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    if clock.value(for: key) != nil { return true }
    return await disk?.contains(key) ?? false
  }

  public func remove(_ key: DataCacheKey) async {
    await permits.remove([key]) {
      clock.remove(key)
      await disk?.remove(key)
    }
  }

  public func removeAll() async {
    await permits.remove([nil]) {
      clock.removeAll()
      await disk?.removeAll()
    }
  }

  /// Counters of the memory cache, without the disk cache.
  public var statistics: CacheStatistics { clock.statistics }

  /// The total size of the entries in memory, in bytes.
  public var totalCost: Int { clock.totals.cost }

  private func keep(_ data: CachedData, for key: DataCacheKey) {
    clock.insert(data, for: key, cost: data.data.count + 1)
  }
}
