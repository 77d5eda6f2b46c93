/// Bytes that were loaded a moment ago and are not kept on disk, because only a smaller picture was wanted so far.
///
/// Who shows a small picture often wants the large one next; then it need not be loaded again.
package final class RecentOriginals: Sendable {
  private let clock: Clock<DataCacheKey, EncodedImage>

  /// - Parameter byteLimit: Of all bytes together; one may take a quarter of it.
  package init(
    byteLimit: Int, lifetime: Duration = .seconds(60),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    clock = Clock(costLimit: byteLimit, countLimit: 200, entryRatio: 0.26, now: now)
    clock.setLimits { $0.lifetime = lifetime }
  }

  package subscript(key: DataCacheKey) -> EncodedImage? { clock.value(for: key) }

  package func keep(_ encoded: EncodedImage, for key: DataCacheKey) {
    clock.insert(encoded, for: key, cost: encoded.data.count)
  }

  package func forget(_ key: DataCacheKey) { clock.remove(key) }

  package func removeAll() { clock.removeAll() }
}
