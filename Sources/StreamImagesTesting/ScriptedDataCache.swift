internal import Foundation
public import StreamImages

/// Has nothing, and takes nothing: it keeps storing back until a latch is open, and then says what it is told.
public struct ScriptedDataCache: DataCaching {
  /// What storing fails with.
  public var error: DataCacheError
  /// What storing waits for; `nil` to fail at once.
  public var latch: Latch?

  /// A cache that stores nothing, and fails with `error` when `latch` has opened.
  public init(error: DataCacheError, latch: Latch? = nil) {
    self.error = error
    self.latch = latch
  }

  public func data(for key: DataCacheKey) async -> CachedData? { nil }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    await latch?.wait()
    throw error
  }

  public func contains(_ key: DataCacheKey) async -> Bool { false }
  public func remove(_ key: DataCacheKey) async {}
  public func removeAll() async {}
}
