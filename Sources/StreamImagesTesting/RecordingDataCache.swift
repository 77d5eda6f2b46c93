internal import Foundation
public import StreamImages
internal import Streams

/// A disk cache in memory, without limits, that records reads and writes.
public final class RecordingDataCache: DataCaching {
  private struct State {
    var entries: [DataCacheKey: CachedData] = [:]
    var reads: [DataCacheKey] = []
    var writes: [DataCacheKey] = []
  }

  private let state = Guarded(State())

  /// Creates an empty cache.
  public init() {}

  /// The keys that were read, in order.
  public var reads: [DataCacheKey] { state.withLock { $0.reads } }

  /// The keys that were stored, in order.
  public var writes: [DataCacheKey] { state.withLock { $0.writes } }

  /// The entries.
  public var entries: [DataCacheKey: CachedData] { state.withLock { $0.entries } }

  public func data(for key: DataCacheKey) async -> CachedData? {
    state.withLock { state in
      state.reads.append(key)
      return state.entries[key]
    }
  }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    state.withLock { state in
      state.writes.append(key)
      state.entries[key] = data
    }
  }

  public func contains(_ key: DataCacheKey) async -> Bool { state.withLock { $0.entries[key] != nil } }
  public func remove(_ key: DataCacheKey) async { state.withLock { $0.entries[key] = nil } }
  public func removeAll() async { state.withLock { $0.entries = [:] } }
}
