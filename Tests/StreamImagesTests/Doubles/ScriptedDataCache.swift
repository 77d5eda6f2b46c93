import StreamImages

/// Has nothing, and takes nothing: it keeps storing back until a latch is open, and then says what it is told.
struct ScriptedDataCache: DataCaching {
  var error: DataCacheError
  var latch: Latch?

  func data(for key: DataCacheKey) async -> CachedData? { nil }

  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    await latch?.wait()
    throw error
  }

  func contains(_ key: DataCacheKey) async -> Bool { false }
  func remove(_ key: DataCacheKey) async {}
  func removeAll() async {}
}
