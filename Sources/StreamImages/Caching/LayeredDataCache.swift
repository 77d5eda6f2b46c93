internal import Foundation

/// Several caches as one, the quickest first: memory before disk, a disk before a server of one's own.
///
/// What is found in one is put into those before it, and then returned; a failure to do so does not matter. Storing
/// stores in all, one after the other, and throws the first failure once all were tried.
public struct LayeredDataCache: DataCaching {
  /// Asked in this order.
  public let layers: [any DataCaching]

  /// A cache that looks into `layers` one after another.
  public init(layers: [any DataCaching]) { self.layers = layers }

  public func data(for key: DataCacheKey) async -> CachedData? {
    for (index, layer) in layers.enumerated() {
      guard let found = await layer.data(for: key) else { continue }
      for earlier in layers[..<index] { try? await earlier.store(found, for: key) }
      return found
    }
    return nil
  }

  /// From the first layer: what another one has is to be put in there.
  public func immediateData(for key: DataCacheKey) -> CachedData? { layers.first?.immediateData(for: key) }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    var failure: DataCacheError?
    for layer in layers {
      do throws(DataCacheError) { try await layer.store(data, for: key) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    for layer in layers where await layer.contains(key) { return true }
    return false
  }

  public func remove(_ key: DataCacheKey) async {
    for layer in layers { await layer.remove(key) }
  }

  public func removeAll() async {
    for layer in layers { await layer.removeAll() }
  }
}
