import Foundation
import StreamImages
import Testing

@Suite("`ImageCache`: lifetimes and previews")
struct ImageCacheLifetimeTests {
  private let start = ContinuousClock.now
  private let elapsed = Shared(Duration.zero)

  private func cache(countLimit: Int = .max) -> ImageCache {
    ImageCache(costLimit: 1_000, countLimit: countLimit) { [start, elapsed] in
      start.advanced(by: elapsed.value)
    }
  }

  private func picture(_ cost: Int = 1, isPreview: Bool = false) throws -> DecodedImage {
    DecodedImage(try Image(width: cost, height: 1, pixelFormat: .gray8), isPreview: isPreview)
  }

  private func key(_ name: Int) -> ImageCacheKey { ImageCacheKey("\(name)") }

  @Test(
    "Reading an image extends its lifetime as configured",
    arguments: [
      (.never, 10), (.byLifetime, 16), (.by(.seconds(3)), 9),
    ] as [(LifetimeExtension, Int)])
  func extending(_ row: (extending: LifetimeExtension, end: Int)) throws {
    let cache = cache()
    cache.lifetime = .seconds(10)
    cache.lifetimeExtension = row.extending
    cache[key(1)] = try picture()

    elapsed.change { $0 = .seconds(6) }
    #expect(cache[key(1)] != nil)

    // Reading is what prolongs, so the end is looked for by what is left without reading.
    elapsed.change { $0 = .seconds(row.end - 1) }
    cache.removeExpired()
    #expect(cache.totalCount == 1)
    elapsed.change { $0 = .seconds(row.end) }
    cache.removeExpired()
    #expect(cache.totalCount == 0)
    #expect(cache.statistics.expirations == 1)
  }

  @Test("Inserting images removes expired ones without a read")
  func opportunistic() throws {
    let cache = cache()
    cache.lifetime = .seconds(10)
    for name in 0..<4 { cache[key(name)] = try picture() }

    elapsed.change { $0 = .seconds(10) }
    cache[key(4)] = try picture()
    #expect(cache.totalCount == 3)
    cache[key(5)] = try picture()

    #expect(cache.totalCount == 2)
    #expect(cache.statistics.expirations == 4)
  }

  @Test("Inserting a value returns the expired values that it removes")
  func handingOver() {
    let cache = ClockCache<String, Int>(costLimit: 10, countLimit: 10, entryRatio: 1) { [start, elapsed] in
      start.advanced(by: elapsed.value)
    }
    cache.insert(1, for: "a", cost: 1, lifetime: .seconds(1))

    elapsed.change { $0 = .seconds(1) }

    #expect(cache.insert(2, for: "b", cost: 1) == [1])
  }

  @Test("A value that is not provisional stays when a provisional one is inserted, and replaces one")
  func provisional() {
    let cache = ClockCache<String, Int>(costLimit: 10, countLimit: 10, entryRatio: 1)

    cache.insert(1, for: "a", cost: 1, isProvisional: true)
    cache.insert(2, for: "a", cost: 1)
    #expect(cache.value(for: "a") == 2)
    cache.insert(3, for: "a", cost: 1, isProvisional: true)
    #expect(cache.value(for: "a") == 2)
    cache.insert(4, for: "a", cost: 1)
    #expect(cache.take("a") == 4)
    #expect(cache.take("a") == nil)
    #expect(cache.totals == (0, 0))
  }

  @Test("The ratio of hits is their share of all reads, and zero before the first")
  func hitRatio() {
    for (hits, misses, ratio) in [(0, 0, 0), (1, 0, 1), (0, 1, 0), (1, 1, 0.5), (3, 1, 0.75)] {
      var statistics = CacheStatistics()
      (statistics.hits, statistics.misses) = (hits, misses)
      #expect(statistics.hitRatio == ratio)
    }
  }

  @Test("A preview is cached, is replaced by the final image, and never replaces it")
  func previews() throws {
    let cache = cache()

    cache[key(1)] = try picture(10, isPreview: true)
    #expect(cache[key(1)]?.isPreview == true)
    cache[key(1)] = try picture(20, isPreview: true)
    #expect(cache[key(1)]?.image.width == 20)
    cache[key(1)] = try picture(30)
    cache[key(1)] = try picture(40, isPreview: true)

    #expect(cache[key(1)]?.image.width == 30)
    #expect(cache[key(1)]?.isPreview == false)
    #expect(cache.totalCost == 30)
  }

  @Test("A preview replaces a final image that has expired")
  func previewAfterExpiry() throws {
    let cache = cache()
    cache.insert(try picture(30), for: key(1), lifetime: .seconds(1))
    elapsed.change { $0 = .seconds(1) }

    cache[key(1)] = try picture(40, isPreview: true)

    #expect(cache[key(1)]?.isPreview == true)
  }

  @Test("Removing an image returns it")
  func removing() throws {
    let cache = cache()
    cache[key(1)] = try picture(7)

    #expect(cache.remove(key(1))?.image.width == 7)
    #expect(cache.remove(key(1)) == nil)
    #expect(cache.totalCost == 0)
  }

  @Test("`CacheStatistics` counts hits, misses, evictions and rejections, also after emptying")
  func statistics() throws {
    let cache = cache(countLimit: 2)
    for name in 0..<3 { cache[key(name)] = try picture() }
    cache[key(9)] = try picture(500)

    _ = cache[key(0)]
    _ = cache[key(1)]
    _ = cache[key(2)]
    cache.removeAll()

    let statistics = cache.statistics
    #expect(statistics.hits == 2)
    #expect(statistics.misses == 1)
    #expect(statistics.evictions == 1)
    #expect(statistics.rejections == 1)
    #expect(statistics.hitRatio == 2.0 / 3)
    #expect(CacheStatistics().hitRatio == 0)
  }

  @Test("A lookup by size returns an image that is large enough, or exact to one pixel")
  func sizes() throws {
    let cache = cache()
    cache.entryCostRatio = 1
    cache[key(1)] = DecodedImage(try Image(width: 20, height: 10, pixelFormat: .gray8))
    func finds(_ need: SizeNeed) -> Bool { cache.image(for: key(1), need) != nil }

    #expect(finds(.atLeast(PixelSize(width: 20, height: 10))))
    #expect(finds(.atLeast(PixelSize(width: 5, height: 5))))
    #expect(!finds(.atLeast(PixelSize(width: 21, height: 10))))
    #expect(!finds(.atLeast(PixelSize(width: 20, height: 11))))
    #expect(finds(.exactly(PixelSize(width: 21, height: 9))))
    #expect(!finds(.exactly(PixelSize(width: 22, height: 10))))
    #expect(!finds(.exactly(PixelSize(width: 10, height: 5))))
  }

  @Test(
    "The default cost limit is 15 % of the memory, at most 768 MiB",
    arguments: [(0, 0), (1_000, 150), (4 << 30, 644_245_080), (5 << 30, 805_306_365), (6 << 30, 768 << 20)])
  func defaultLimit(_ row: (memory: Int, limit: Int)) {
    #expect(ImageCache.defaultCostLimit(ofMemory: row.memory) == row.limit)
  }

  @Test("By default `ImageCache` has a cost limit that depends on the memory and no count limit")
  func defaults() {
    let cache = ImageCache()

    let physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    let memory = min(physical, MemoryGauge().limit ?? physical)
    #expect(cache.costLimit == ImageCache.defaultCostLimit(ofMemory: memory))
    #expect(cache.countLimit == .max)
    #expect(cache.entryCostRatio == 0.25)
  }

  @Test("The maximum share of one entry is clamped between 0 and 1", arguments: [-1.0, .nan, 0.5, 7])
  func ratios(_ ratio: Double) throws {
    let cache = cache()
    cache.entryCostRatio = ratio

    #expect(cache.entryCostRatio == (ratio == 0.5 ? 0.5 : ratio == 7 ? 1 : 0))
    cache[key(1)] = try picture(499)
    #expect((cache[key(1)] != nil) == (ratio >= 0.5))
  }

  @Test("Requests with different results have different keys, none equal to a custom key")
  func keys() throws {
    let request = ImageRequest(url: URL(string: "https://a/b"))
    var scaled = request
    scaled.scale = 2
    var named = request
    named.imageID = "https://a/b"
    let small = ImageRequest(url: request.url, processors: [.resize(width: 3)])

    let keys = [request, scaled, named, small].map { ImageCacheKey($0) } + [ImageCacheKey("https://a/b")]

    #expect(Set(keys).count == 5)
  }

  @Test(
    "A removed image is not returned, even while the program still holds it")
  func noWeakLevel() throws {
    let cache = cache()
    cache[key(1)] = try picture(3)
    let shown = try #require(cache[key(1)]).image

    cache.removeAll()

    #expect(cache[key(1)] == nil)
    #expect(shown.width == 3)
  }
}
