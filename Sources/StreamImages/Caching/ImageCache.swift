public import Streams

/// Keeps the pictures used lately in memory, within a limit.
///
/// When it is full, pictures go in the order in which they came, but one that was read since it was last looked at
/// is passed over once (the "second chance" or clock rule): nearly as good as least recently used, and a hit
/// changes one bit only.
///
/// All operations may be called from any thread.
///
/// - Complexity: Reading and writing are O(1), and O(1) for each picture that has to go.
public final class ImageCache: ImageCaching {
  /// The cache of those who need none of their own. Gives pictures up when memory gets short; see
  /// ``MemoryPressure/system``.
  public static let shared = {
    let cache = ImageCache()
    cache.follow(MemoryPressure.system)
    return cache
  }()

  private let pressure = Guarded<AnyCancellable?>(nil)
  private let clock: Clock<ImageCacheKey, DecodedImage>

  /// An empty cache with limits of its own.
  ///
  /// - Parameters:
  ///   - costLimit: In bytes of pixels. By default 15 % of the memory of the machine or container, at most 768 MiB.
  ///   - countLimit: In pictures. No limit by default.
  public convenience init(costLimit: Int? = nil, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit, now: { .now })
  }

  package init(
    costLimit: Int? = nil, countLimit: Int = .max, now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    let costLimit = costLimit ?? min(SystemMemory.byteCount / 100 * 15, 768 << 20)
    clock = Clock(costLimit: costLimit, countLimit: countLimit, now: now)
  }

  /// Reading counts as use. A picture that is too large for ``entryCostRatio`` is not kept, and neither is the one
  /// it would have replaced. A preview never takes the place of a finished picture.
  public subscript(key: ImageCacheKey) -> DecodedImage? {
    get { clock.value(for: key) }
    set {
      guard var newValue else {
        clock.remove(key)
        return
      }
      newValue.fresh = nil
      let cost = newValue.image.byteCount
      clock.insert(newValue, for: key, cost: cost, isProvisional: newValue.isPreview)
    }
  }

  /// The picture, if it is large enough for what it is wanted for. Reading counts as use in any case.
  public func image(for key: ImageCacheKey, _ need: SizeNeed) -> DecodedImage? {
    self[key].flatMap { need.isMet(by: $0.image.size) ? $0 : nil }
  }

  /// Keeps `image` for `lifetime` at most, instead of for the cache's own ``lifetime``. Sleep of the machine counts.
  public func insert(_ image: DecodedImage, for key: ImageCacheKey, lifetime: Duration) {
    var image = image
    image.fresh = nil
    clock.insert(
      image, for: key, cost: image.image.byteCount, lifetime: lifetime, isProvisional: image.isPreview)
  }

  /// - Returns: What was there.
  @discardableResult
  public func remove(_ key: ImageCacheKey) -> DecodedImage? { clock.remove(key) }

  public func removeAll() { clock.removeAll() }

  /// Lets go of what has lived too long. Reading does so with what it finds, and adding with what is oldest.
  ///
  /// - Complexity: O(n), where n is ``totalCount``.
  public func removeExpired() { clock.removeExpired() }

  /// Lets pictures go until they cost at most `cost`.
  public func trim(toCost cost: Int) { clock.trim(toCost: cost, count: .max) }

  /// Lets pictures go until there are at most `count`.
  public func trim(toCount count: Int) { clock.trim(toCost: .max, count: count) }

  /// Lowering it lets pictures go at once; with 0 nothing is kept.
  public var costLimit: Int {
    get { clock.limits.cost }
    set { clock.setLimits { $0.cost = newValue } }
  }

  /// In pictures. Lowering it lets pictures go at once.
  public var countLimit: Int {
    get { clock.limits.count }
    set { clock.setLimits { $0.count = newValue } }
  }

  /// How much of ``costLimit`` one picture may take: it must cost less. A tenth by default; 0 to 1.
  public var entryCostRatio: Double {
    get { clock.limits.entryRatio }
    set { clock.setLimits { $0.entryRatio = newValue.isNaN ? 0 : min(max(newValue, 0), 1) } }
  }

  /// How long pictures put in from now on stay at most. For ever by default.
  public var lifetime: Duration? {
    get { clock.limits.lifetime }
    set { clock.setLimits { $0.lifetime = newValue } }
  }

  /// What reading a picture does to the time it has left. Nothing by default.
  public var lifetimeExtension: LifetimeExtension {
    get { clock.limits.extending }
    set { clock.setLimits { $0.extending = newValue } }
  }

  /// What has happened so far.
  public var statistics: CacheStatistics { clock.statistics }

  /// In bytes of pixels.
  public var totalCost: Int { clock.totals.cost }

  /// In pictures, expired ones that nobody has asked for counted in.
  public var totalCount: Int { clock.totals.count }
}

// MARK: When memory is short

extension ImageCache {
  /// Gives up half of what there is at a warning, the least used first, and everything when it is critical.
  public func handle(_ pressure: MemoryPressure) {
    switch pressure {
    case .normal: return
    case .warning:
      let totals = clock.totals
      clock.trim(toCost: totals.cost / 2, count: totals.count / 2)
    case .critical: clock.removeAll()
    }
  }

  /// Trims to a tenth of both limits: for a program that nobody looks at for a while.
  public func enterBackground() {
    let limits = clock.limits
    clock.trim(toCost: limits.cost / 10, count: limits.count == .max ? .max : limits.count / 10)
  }

  /// Handles what `publisher` says, instead of what it was told to follow before, until the cache goes.
  public func follow(_ publisher: some Publisher<MemoryPressure, Never>) {
    let following = publisher.sink { [weak self] in self?.handle($0) }
    let before = pressure.withLock { pressure in
      defer { pressure = following }
      return pressure
    }
    before?.cancel()
  }
}
