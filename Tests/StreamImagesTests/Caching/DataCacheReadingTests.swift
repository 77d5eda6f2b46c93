import Foundation
import StreamImages
import Synchronization
import Testing

@Suite("`DataCache`: concurrent reads", .timeLimit(.minutes(20)))
struct DataCacheReadingTests {
  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

  @Test("A slow read from `DataCache` does not hold up other reads")
  func concurrency() async throws {
    let (large, small) = (DataCacheKey("large"), DataCacheKey("small"))
    let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let looks = Atomic(0)
    try await folder.cache().store(content(100, seed: 1), for: large)
    try await folder.cache().store(content(100, seed: 2), for: small)
    // Each read looks at the clock once, at its beginning; the first one stays there.
    let cache = DataCache(.success(folder.directory.path), DiskLimits(byteCount: 1 << 20)) {
      if looks.add(1, ordering: .relaxed).newValue == 1 {
        isReading.signal()
        mayGoOn.wait()
      }
      return 1
    }

    async let slow = cache.data(for: large)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isReading.wait()
        continuation.resume()
      }
    }
    let quick = await cache.data(for: small)
    mayGoOn.signal()

    #expect(quick == content(100, seed: 2))
    #expect(await slow == content(100, seed: 1))
  }

  @Test("`DataCache` performs at most eight reads at once")
  func width() async throws {
    let key = DataCacheKey("entry")
    let mayGoOn = DispatchSemaphore(value: 0)
    let looks = Atomic(0)
    try await folder.cache().store(content(100, seed: 1), for: key)
    let cache = DataCache(.success(folder.directory.path), DiskLimits(byteCount: 1 << 20)) {
      if looks.add(1, ordering: .relaxed).newValue <= 8 { mayGoOn.wait() }
      return 1
    }

    let reads = (0..<12).map { _ in Task { await cache.data(for: key) } }
    await until { cache.readingCounts == (4, 8) && looks.load(ordering: .relaxed) == 8 }
    for _ in 0..<8 { mayGoOn.signal() }

    for read in reads { #expect(await read.value == content(100, seed: 1)) }
  }

  @Test("A read of an expired entry from `DataCache` does not delete the one that has replaced it")
  func replaced() async throws {
    let (path, key, second) = (folder.directory.path, DataCacheKey("a"), 1_000_000_000)
    let first = DataCache(.success(path), DiskLimits()) { second }
    try await first.store(content(100, seed: 1), for: key)
    await first.settle()  // Its sweep would take the later time of the other entry for a clock that was set back.
    let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let looks = Atomic(0)
    // Looks at the clock once it has the status of the old file.
    let reader = DataCache(.success(path), DiskLimits(lifetime: .seconds(10))) {
      if looks.add(1, ordering: .relaxed).newValue == 1 {
        isReading.signal()
        mayGoOn.wait()
      }
      return 100 * second
    }

    async let read = reader.data(for: key)
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isReading.wait()
        continuation.resume()
      }
    }
    let writer = DataCache(.success(path), DiskLimits()) { 100 * second }
    try await writer.store(content(100, seed: 2), for: key)
    mayGoOn.signal()

    #expect(await read == nil)
    #expect(await writer.contains(key))
    #expect(await reader.data(for: key) == content(100, seed: 2))
  }
}
