internal import Foundation
public import StreamImages

/// A disk cache that is always empty. Storing waits for a latch and then fails.
public struct ScriptedDataCache: DataCaching {
  /// The error of storing.
  public var error: DataCacheError
  /// The latch that storing waits for; `nil` to fail immediately.
  public var latch: Latch?

  /// Creates a cache that fails with `error` when `latch` is open.
  public init(error: DataCacheError, latch: Latch? = nil) {
    (self.error, self.latch) = (error, latch)
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
