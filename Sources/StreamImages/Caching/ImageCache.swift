public import Streams

/// Keeps recently used images in memory, within a limit.
///
/// When it is full, the oldest images are evicted. An image that was read since the last check is skipped once (the
/// "second chance" or clock rule). It approximates least recently used.
///
/// Call all members from any thread.
///
/// - Complexity: Reading is O(1), and writing amortized O(1), plus O(1) for each evicted image.
public final class ImageCache: ImageCaching {
  /// The shared cache. It evicts images when memory is short; see ``MemoryPressure/system``.
  public static let shared = {
    let cache = ImageCache()
    cache.follow(MemoryPressure.system)
    return cache
  }()

  private let pressure = Guarded<AnyCancellable?>(nil)
  private let clock: ClockCache<ImageCacheKey, DecodedImage>

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - costLimit: The limit in bytes of pixels. By default 15 % of the memory of the machine or container, at most
  ///     768 MiB.
  ///   - countLimit: The limit in images. Unlimited by default.
  public convenience init(costLimit: Int? = nil, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit, now: { .now })
  }

  package init(
    costLimit: Int? = nil, countLimit: Int = .max, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    let costLimit = costLimit ?? Self.defaultCostLimit(ofMemory: SystemMemory.byteCount)
    clock = ClockCache(costLimit: costLimit, countLimit: countLimit, now: now)
  }

  package static func defaultCostLimit(ofMemory byteCount: Int) -> Int {
    min(byteCount / 100 * 15, 768 << 20)
  }

  /// The image for `key`. Reading counts as use.
  ///
  /// An image that is not below ``entryCostRatio`` is not stored, and the one it would replace is removed. A preview
  /// never replaces a finished image that has not expired.
  public subscript(key: ImageCacheKey) -> DecodedImage? {
    get { clock.value(for: key) }
    set {
      if let newValue { store(newValue, for: key, lifetime: nil) } else { clock.remove(key) }
    }
  }

  /// Returns the image if it has a size that is needed. Reading counts as use in any case.
  public func image(for key: ImageCacheKey, _ need: SizeNeed) -> DecodedImage? {
    self[key].flatMap { need.isMet(by: $0.image.size) ? $0 : nil }
  }

  /// Stores an image with a lifetime of its own, instead of ``lifetime``. Time in which the machine sleeps counts.
  public func insert(_ image: DecodedImage, for key: ImageCacheKey, lifetime: Duration) {
    store(image, for: key, lifetime: lifetime)
  }

  private func store(_ image: DecodedImage, for key: ImageCacheKey, lifetime: Duration?) {
    var image = image
    image.fresh = nil
    clock.insert(
      image, for: key, cost: image.image.cachedByteCount, lifetime: lifetime, isProvisional: image.isPreview)
  }

  /// Removes an image and returns it.
  @discardableResult
  public func remove(_ key: ImageCacheKey) -> DecodedImage? { clock.remove(key) }

  public func removeAll() { clock.removeAll() }

  /// Removes expired images. Reading also removes an expired image it finds.
  ///
  /// - Complexity: Linear in the largest ``totalCount`` so far.
  public func removeExpired() { clock.removeExpired() }

  /// Evicts images until the total cost is at most `cost`.
  public func trim(toCost cost: Int) { clock.trim(toCost: cost, count: .max) }

  /// Evicts images until there are at most `count`.
  public func trim(toCount count: Int) { clock.trim(toCost: .max, count: count) }

  /// The limit in bytes of pixels. Lowering it evicts images at once; 0 disables the cache.
  public var costLimit: Int {
    get { clock.limits.cost }
    set { clock.setLimits { $0.cost = newValue } }
  }

  /// The limit in images. Lowering it evicts images at once.
  public var countLimit: Int {
    get { clock.limits.count }
    set { clock.setLimits { $0.count = newValue } }
  }

  /// The share of ``costLimit`` that one image must stay below, from 0 to 1. 0.25 by default.
  public var entryCostRatio: Double {
    get { clock.limits.entryRatio }
    set { clock.setLimits { $0.entryRatio = newValue.isNaN ? 0 : min(max(newValue, 0), 1) } }
  }

  /// The lifetime of images stored from now on. `nil`, the default, means for ever.
  public var lifetime: Duration? {
    get { clock.limits.lifetime }
    set { clock.setLimits { $0.lifetime = newValue } }
  }

  /// How reading extends the lifetime of an image. Not at all by default.
  public var lifetimeExtension: LifetimeExtension {
    get { clock.limits.extending }
    set { clock.setLimits { $0.extending = newValue } }
  }

  /// Counters of this cache.
  public var statistics: CacheStatistics { clock.statistics }

  /// The cost of all images, in bytes of pixels.
  public var totalCost: Int { clock.totals.cost }

  /// The number of images, including expired ones that were not removed yet.
  public var totalCount: Int { clock.totals.count }
}

// MARK: Memory pressure

extension ImageCache {
  /// At a warning, evicts images until at most half of the cost and of the count is left; at critical pressure, removes
  /// all.
  public func handle(_ pressure: MemoryPressure) {
    switch pressure {
    case .normal: return
    case .warning:
      let totals = clock.totals
      clock.trim(toCost: totals.cost / 2, count: totals.count / 2)
    case .critical: clock.removeAll()
    }
  }

  /// Trims to a tenth of both limits. Call it when the program is not visible for a while.
  public func enterBackground() {
    let limits = clock.limits
    clock.trim(toCost: limits.cost / 10, count: limits.count == .max ? .max : limits.count / 10)
  }

  /// Responds to the memory pressure that `publisher` reports, until the cache is deallocated. Replaces an earlier
  /// publisher.
  public func follow(_ publisher: some Publisher<MemoryPressure, Never>) {
    let following = publisher.sink { [weak self] in self?.handle($0) }
    let before = pressure.withLock { pressure in
      defer { pressure = following }
      return pressure
    }
    before?.cancel()
  }
}

/// Stores decoded images in memory.
///
/// It is read synchronously at the start of each request for an image, on the caller's thread. So it must be fast and
/// thread-safe.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image for `key`. Set `nil` to remove it.
  subscript(key: ImageCacheKey) -> DecodedImage? { get set }

  /// Removes all images.
  func removeAll()
}
