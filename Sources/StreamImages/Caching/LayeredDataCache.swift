internal import Foundation

/// Combines several caches, the fastest first: memory before disk, a disk before your own server.
///
/// An entry found in one layer is stored in the layers before it, unless it is changed meanwhile, and then returned;
/// failures to do so are ignored.
/// Storing stores in all layers, the last one first, and then throws the failure of the fastest layer that failed.
public struct LayeredDataCache: DataCaching {
  /// The layers, in the order in which they are read.
  public let layers: [any DataCaching]
  /// A change revokes the permits of reads in progress to store what they found.
  private let permits = StorePermits<DataCacheKey?>()

  /// Creates a cache that reads `layers` in order.
  public init(layers: [any DataCaching]) { self.layers = layers }

  public func data(for key: DataCacheKey) async -> CachedData? {
    guard let first = layers.first else { return nil }
    if let found = await first.data(for: key) { return found }
    let permit = permits.permit()
    for (index, layer) in layers.enumerated().dropFirst() {
      guard let found = await layer.data(for: key) else { continue }
      await permit.write(to: key) {
        for earlier in layers[..<index] { try? await earlier.store(found, for: key) }
      }
      return found
    }
    return nil
  }

  /// Reads the first layer only, because an entry of another layer would have to be stored in it.
  public func immediateData(for key: DataCacheKey) -> CachedData? { layers.first?.immediateData(for: key) }

  public func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    var failure: DataCacheError?
    await change(key) { layer in
      do throws(DataCacheError) { try await layer.store(data, for: key) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  public func contains(_ key: DataCacheKey) async -> Bool {
    for layer in layers where await layer.contains(key) { return true }
    return false
  }

  public func remove(_ key: DataCacheKey) async { await change(key) { await $0.remove(key) } }

  public func removeAll() async { await change(nil) { await $0.removeAll() } }

  /// Changes the slowest layer first. Once reads that found an old entry there cannot store it any more, the layers in which
  /// they may have stored it are changed.
  ///
  /// - Parameter key: `nil` for all keys.
  private func change(_ key: DataCacheKey?, _ body: (any DataCaching) async -> Void) async {
    for layer in layers.reversed() {
      await body(layer)
      await permits.revoke([key])
    }
  }
}
