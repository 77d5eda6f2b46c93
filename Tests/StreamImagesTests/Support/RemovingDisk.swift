import StreamImages

/// Does something before it removes an entry.
struct RemovingDisk: DataCaching {
  let entries = RecordingDataCache()
  let onRemove = Shared<(@Sendable () async -> Void)?>(nil)

  func data(for key: DataCacheKey) async -> CachedData? { await entries.data(for: key) }
  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    try await entries.store(data, for: key)
  }
  func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }

  func remove(_ key: DataCacheKey) async {
    await onRemove.value?()
    await entries.remove(key)
  }

  func removeAll() async {
    await onRemove.value?()
    await entries.removeAll()
  }
}
