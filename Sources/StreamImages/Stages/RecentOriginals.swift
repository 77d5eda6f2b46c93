/// Recently loaded bytes that are not stored on disk, because only a processed image was requested.
///
/// A request for another version often follows. It need not load them again.
package final class RecentOriginals: Sendable {
  private let clock: ClockCache<DataCacheKey, EncodedImage>

  /// - Parameter byteLimit: The largest total size. One entry may take a quarter of it.
  package init(
    byteLimit: Int, lifetime: Duration = .seconds(60),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    clock = ClockCache(costLimit: byteLimit, countLimit: 200, entryRatio: 0.26, now: now)
    clock.setLimits { $0.lifetime = lifetime }
  }

  package subscript(key: DataCacheKey) -> EncodedImage? { clock.value(for: key) }

  package func keep(_ encoded: EncodedImage, for key: DataCacheKey) {
    clock.insert(encoded, for: key, cost: encoded.data.count)
  }

  package func forget(_ key: DataCacheKey) { clock.remove(key) }

  package func removeAll() { clock.removeAll() }
}
