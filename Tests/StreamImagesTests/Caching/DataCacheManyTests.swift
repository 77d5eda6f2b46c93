import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: many entries", .timeLimit(.minutes(5)))
struct DataCacheManyTests {
  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

  private func key(_ name: Int) -> DataCacheKey { DataCacheKey("\(name)") }

  @Test("A sweep of more entries than it can tell apart at first finds the oldest ones all the same")
  func refining() async throws {
    let time = Shared(1_800_000_000_000_000_000)
    func cache(_ limits: DiskLimits) -> DataCache {
      DataCache(.success(folder.directory.path), limits) { time.value }
    }
    let large = cache(DiskLimits())
    // 300 entries of nearly the same time among 4,094 others: merged so far that those few are in one bin or two.
    for name in 0..<4_394 {
      time.change { $0 += (1_200..<1_500).contains(name) ? 1 : 1_000_000_000 }
      try await large.store(content(0), for: key(name))
    }
    await large.settle()

    let small = cache(DiskLimits(count: 4_390))
    await small.sweep()

    // 70 % of the limit is left.
    #expect(await small.totals().count == 3_073)
    var left: [Int] = []
    for name in 1_190..<1_510 where await small.contains(key(name)) { left.append(name) }
    #expect(left == Array(1_321..<1_510))
  }
}
