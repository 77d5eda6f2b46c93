import Foundation
import StreamImages
import Testing

@Suite("ImageCache, over time")
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
    "A3.14: reading prolongs the life of a picture if it is to",
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

  @Test("A3.14: what has lived too long goes as others come, without anybody asking for it")
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

  @Test("A3.14: what has lived too long is handed to who made it go")
  func handingOver() {
    let cache = ClockCache<String, Int>(costLimit: 10, countLimit: 10, entryRatio: 1) { [start, elapsed] in
      start.advanced(by: elapsed.value)
    }
    cache.insert(1, for: "a", cost: 1, lifetime: .seconds(1))

    elapsed.change { $0 = .seconds(1) }

    #expect(cache.insert(2, for: "b", cost: 1) == [1])
  }

  @Test("A3.9: a preview is kept as such, gives way to the finished picture, and never takes its place")
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

  @Test("A3.9: a preview does take the place of a finished picture that has expired")
  func previewAfterExpiry() throws {
    let cache = cache()
    cache.insert(try picture(30), for: key(1), lifetime: .seconds(1))
    elapsed.change { $0 = .seconds(1) }

    cache[key(1)] = try picture(40, isPreview: true)

    #expect(cache[key(1)]?.isPreview == true)
  }

  @Test("A3.6: removing gives back what was there")
  func removing() throws {
    let cache = cache()
    cache[key(1)] = try picture(7)

    #expect(cache.remove(key(1))?.image.width == 7)
    #expect(cache.remove(key(1)) == nil)
    #expect(cache.totalCost == 0)
  }

  @Test("A3.6: counts what happens, through emptying too")
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

  @Test("A3.13: gives a picture that is large enough, or exactly so give or take a pixel, or none")
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

  @Test("A3.1: has 15 % of the memory there is by default, 768 MiB at most, and no limit of pictures")
  func defaults() {
    let cache = ImageCache()

    #expect(cache.costLimit > 0 && cache.costLimit <= 768 << 20)
    #expect(cache.countLimit == .max)
    #expect(cache.entryCostRatio == 0.1)
  }

  @Test("A3.2: the share that one picture may take is between none and all", arguments: [-1.0, .nan, 0.5, 7])
  func ratios(_ ratio: Double) throws {
    let cache = cache()
    cache.entryCostRatio = ratio

    #expect(cache.entryCostRatio == (ratio == 0.5 ? 0.5 : ratio == 7 ? 1 : 0))
    cache[key(1)] = try picture(499)
    #expect((cache[key(1)] != nil) == (ratio >= 0.5))
  }

  @Test("A3.8: a key of your own is none of a request, and requests that differ in what is made have two")
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
    "A3.12: what the program still shows is not handed out again once it has gone, as it may be drawn upon")
  func noWeakLevel() throws {
    let cache = cache()
    cache[key(1)] = try picture(3)
    let shown = try #require(cache[key(1)]).image

    cache.removeAll()

    #expect(cache[key(1)] == nil)
    #expect(shown.width == 3)
  }
}
