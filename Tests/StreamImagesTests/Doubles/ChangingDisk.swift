import StreamImages
import Streams

/// A cache that does something between finding an entry and returning it.
final class ChangingDisk: DataCaching {
  private struct State: Sendable {
    var entries: [DataCacheKey: CachedData] = [:]
    var action: (@Sendable () async -> Void)?
  }

  private let state = Guarded(State())

  func onRead(_ action: @escaping @Sendable () async -> Void) { state.withLock { $0.action = action } }

  func data(for key: DataCacheKey) async -> CachedData? {
    let (found, action) = state.withLock { ($0.entries[key], $0.action.take()) }
    await action?()
    return found
  }

  func store(_ data: CachedData, for key: DataCacheKey) async { state.withLock { $0.entries[key] = data } }
  func contains(_ key: DataCacheKey) async -> Bool { state.withLock { $0.entries[key] != nil } }
  func remove(_ key: DataCacheKey) async { state.withLock { $0.entries[key] = nil } }
  func removeAll() async { state.withLock { $0.entries = [:] } }
}
