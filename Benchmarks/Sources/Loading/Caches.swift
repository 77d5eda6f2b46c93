import Foundation
import StreamImages

/// A request that is in memory, asked for as users do, delivered before `sink` returns.
func memoryHit() async throws -> Row {
  let cache = ImageCache(costLimit: 64 << 20)
  let pipeline = ImagePipeline { ($0.imageCache, $0.dataCache) = (cache, nil) }
  let request = ImageRequest(
    url: URL(string: "https://example.com/photo.jpg"), processors: [.resize(width: 320)])
  cache[ImageCacheKey(request)] = DecodedImage(try Image(width: 10, height: 10, pixelFormat: .rgb8))
  var delivered = 0
  let seconds = time(of: 10_000) {
    for _ in 0..<10_000 {
      withExtendedLifetime(
        pipeline.imagePublisher(with: request).sink(
          receiveCompletion: { _ in }, receiveValue: { _ in delivered += 1 })
      ) {}
    }
  }
  guard delivered == 150_000 else { fatalError("\(delivered) of 150,000 hits were delivered at once") }
  let microseconds = rounded(seconds * 1e6)
  return Row(
    title: "a hit in memory, from request to value", figure: "\(microseconds) µs", goal: "5 µs at most",
    short: "hit \(microseconds) µs")
}

func memoryOperations() -> Row {
  let cache = ImageCache(costLimit: 64 << 20)
  let picture = DecodedImage(try! Image(width: 10, height: 10, pixelFormat: .rgb8))
  let keys = (0..<1_000).map { ImageCacheKey("\($0)") }
  let seconds = time(of: 100_000) {
    for step in 0..<100_000 {
      if step % 10 == 0 { cache[keys[step % 1_000]] = picture } else { _ = cache[keys[step % 1_000]] }
    }
  }
  let millions = rounded(1 / seconds / 1e6)
  return Row(
    title: "reads and writes of the cache in memory, one thread", figure: "\(millions) million a second",
    goal: "1 million at least", short: "\(millions) M ops/s")
}

func diskHit() async throws -> Row {
  let folder = FileManager.default.temporaryDirectory.appending(path: "Loading-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: folder) }
  let cache = DataCache(directory: folder)
  for name in 0..<200 {
    try await cache.store(
      CachedData(Data(repeating: UInt8(name), count: 64 << 10)), for: DataCacheKey("\(name)"))
  }
  var times: [Double] = []
  let clock = ContinuousClock()
  for step in 0..<2_000 {
    let start = clock.now
    _ = await cache.data(for: DataCacheKey("\(step * 7 % 200)"))
    times.append(start.duration(to: clock.now).inSeconds)
  }
  let worst = rounded(times.sorted()[times.count * 95 / 100] * 1e3)
  return Row(
    title: "64 KiB from the disk, 95 of 100", figure: "\(worst) ms", goal: "1 ms at most",
    short: "disk p95 \(worst) ms")
}
