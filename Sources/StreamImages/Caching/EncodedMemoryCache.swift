/// Keeps the bytes used lately in memory, in front of a cache on disk or of none.
///
/// A second level below ``ImageCache``: bytes take a tenth of the room of pixels, and decoding them again is faster
/// than reading them from a slow disk. What another process stores under a key that is here is not noticed.
///
/// - Complexity: Reading what is here is O(1).
public final class EncodedMemoryCache: DataCaching {
  private let clock: Clock<DataCacheKey, CachedData>
  private let disk: (any DataCaching)?

  /// A cache of bytes in memory, over one on disk if there is one.
  ///
  /// - Parameters:
  ///   - disk: Asked for what is not here, and told everything; `nil` for none.
  ///   - byteLimit: In bytes. One entry may take a quarter of it.
  ///   - countLimit: In entries.
  public init(over disk: (any DataCaching)?, byteLimit: Int = 32 << 20, countLimit: Int = 1_000) {
    self.disk = disk
    clock = Clock(costLimit: byteLimit, countLimit: countLimit, entryRatio: 0.25)
  }

  public func data(for key: DataCacheKey) async -> CachedData? {
    if let here = clock.value(for: key) { return here }
    guard let found = await disk?.data(for: key) else { return nil }
    keep(found, for: key)
    return found
  }

  public func immediateData(for key: DataCacheKey) -> CachedData? { clock.hit(for: key) }

  /// Throws what the cache on disk throws; here, the entry is kept all the same.
  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    keep(data, for: key)
    try await disk?.store(data, for: key)
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    if clock.value(for: key) != nil { return true }
    return await disk?.contains(key) ?? false
  }

  public func remove(_ key: DataCacheKey) async {
    clock.remove(key)
    await disk?.remove(key)
  }

  public func removeAll() async {
    clock.removeAll()
    await disk?.removeAll()
  }

  /// What has happened here, the cache on disk left out.
  public var statistics: CacheStatistics { clock.statistics }

  /// In bytes.
  public var totalCost: Int { clock.totals.cost }

  private func keep(_ data: CachedData, for key: DataCacheKey) {
    clock.insert(data, for: key, cost: data.data.count + 1)
  }
}
