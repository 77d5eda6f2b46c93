import Foundation
import StreamImages
import Testing

@Suite("`ImageCache`")
struct ImageCacheTests {
  /// A picture of `cost` bytes.
  private func picture(_ cost: Int) throws -> DecodedImage {
    DecodedImage(try Image(width: cost, height: 1, pixelFormat: .gray8))
  }

  private func key(_ name: Int) -> ImageCacheKey { ImageCacheKey("\(name)") }

  private func names(in cache: ImageCache, of range: Range<Int>) -> [Int] {
    range.filter { cache[key($0)] != nil }
  }

  @Test("`ImageCache` returns a stored image until it is removed")
  func roundTrip() throws {
    let cache = ImageCache(costLimit: 1_000)

    cache[key(1)] = try picture(10)
    cache[key(2)] = try picture(20)
    #expect(cache[key(1)]?.image.width == 10)
    #expect(cache.totalCost == 30)
    #expect(cache.totalCount == 2)

    cache[key(1)] = nil
    #expect(cache[key(1)] == nil)
    #expect(cache.totalCost == 20)

    cache.removeAll()
    #expect(cache.totalCount == 0)
    #expect(cache.totalCost == 0)
  }

  @Test("`ImageCache` does not hold the encoded bytes of an image")
  func encodedBytes() throws {
    let cache = ImageCache(costLimit: 1_000)
    var fresh = try picture(10)
    fresh.fresh = EncodedImage(Data(count: 5_000), origin: .network, url: nil, contentType: nil)

    cache[key(1)] = fresh
    cache.insert(fresh, for: key(2), lifetime: .seconds(1_000))

    for name in 1...2 { #expect(try #require(cache[key(name)]).fresh == nil) }
    #expect(cache.totalCost == 20)
  }

  @Test("Lowering a limit evicts images immediately")
  func lowering() throws {
    let cache = ImageCache(costLimit: 10_000)
    for name in 0..<10 { cache[key(name)] = try picture(10) }

    cache.countLimit = 5
    #expect(names(in: cache, of: 0..<10) == Array(5..<10))

    cache.costLimit = 0
    #expect(cache.totalCount == 0)
    cache[key(1)] = try picture(1)
    #expect(cache.totalCount == 0)
  }

  @Test("Trimming evicts images down to the given cost or count")
  func trimming() throws {
    let cache = ImageCache(costLimit: 10_000)
    for name in 0..<10 { cache[key(name)] = try picture(10) }

    cache.trim(toCost: 75)
    #expect(names(in: cache, of: 0..<10) == Array(3..<10))

    cache.trim(toCount: 2)
    #expect(cache.totalCount == 2)
  }

  @Test("Images expire after their lifetime, measured by a monotonic clock")
  func lifetime() throws {
    let start = ContinuousClock.now
    let elapsed = Guarded(Duration.zero)
    let cache = ImageCache(costLimit: 1_000) { start.advanced(by: elapsed.withLock { $0 }) }
    cache.lifetime = .seconds(10)
    cache[key(1)] = try picture(1)
    cache.insert(try picture(1), for: key(2), lifetime: .seconds(20))

    elapsed.withLock { $0 = .seconds(9) }
    #expect(names(in: cache, of: 1..<3) == [1, 2])
    elapsed.withLock { $0 = .seconds(10) }
    #expect(names(in: cache, of: 1..<3) == [2])
    #expect(cache.totalCount == 1)
    elapsed.withLock { $0 = .seconds(20) }
    #expect(cache.totalCost == 1)
    #expect(names(in: cache, of: 1..<3) == [])
    #expect(cache.totalCost == 0)
  }

  @Test("`ImageCache` serves many threads at once")
  func threads() async throws {
    let cache = ImageCache(costLimit: 2_000)

    await withTaskGroup { group in
      for seed in 0..<8 {
        group.addTask {
          for step in 0..<500 {
            let name = (step * 7 + seed * 13) % 60
            if step % 3 == 0 { cache[key(name)] = try? picture(50) } else { _ = cache[key(name)] }
          }
        }
      }
    }

    #expect(cache.totalCost <= 2_000)
    #expect(cache.totalCount == names(in: cache, of: 0..<60).count)
  }
}
