import StreamImages

/// Has nothing, and refuses to take anything.
struct ScriptedDataCache: DataCaching {
  let error: DataCacheError

  func data(for key: DataCacheKey) async -> CachedData? { nil }
  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) { throw error }
  func contains(_ key: DataCacheKey) async -> Bool { false }
  func remove(_ key: DataCacheKey) async {}
  func removeAll() async {}
}
