import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: crashes and several processes", .timeLimit(.minutes(20)))
struct CrashTests {
  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

  @Test(
    "Killing writers at random points corrupts no entry and loses no stored one")
  func killed() async throws {
    var generator = SystemRandomNumberGenerator()
    var stored: [Int] = []
    var next = 0
    while next < 1_000 {
      let worker = try Worker("write", folder.directory.path, "\(next)", "\(1_000 - next)")
      for _ in 0..<Int.random(in: 0..<100, using: &generator) {
        guard let line = worker.line(), let name = line.number(after: "stored") else { break }
        stored.append(name)
      }
      worker.kill()
      stored += worker.lines().compactMap { $0.number(after: "stored") }
      _ = worker.ending()
      // The one that was being written may be there or not; the next worker goes on after it.
      next = (stored.last ?? -1) + 2
    }

    let check = try Worker("check", folder.directory.path, "0", "1001")
    let said = try #require(check.line())
    #expect(check.ending() == 0)
    #expect(said.number(after: "corrupt") == 0)
    #expect(try #require(said.number(after: "found")) >= stored.count)
    let cache = folder.cache()
    for name in stored where await !cache.contains(DataCacheKey("entry \(name)")) {
      Issue.record("lost \(name)")
    }
    await cache.sweep()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path + "/v1/new") == [])
  }

  @Test(
    "Several processes share a directory while sweeping, without corruption or errors")
  func together() async throws {
    let workers = try (1...2).map { seed in
      try Worker("churn", folder.directory.path, "400", "\(seed)", "1000000")
    }
    let cache = folder.cache(limit: 1_000_000)
    for round in 0..<60 {
      await cache.sweep()
      _ = await cache.data(for: DataCacheKey("entry \(round)"))
    }

    for worker in workers {
      let said = try #require(worker.line())
      #expect(worker.ending() == 0)
      #expect(said.number(after: "corrupt") == 0)
      #expect(said.number(after: "failed") == 0)
      #expect(try #require(said.number(after: "read")) > 0)
    }
    await cache.sweep()
    #expect(await cache.totals().byteCount <= 1_000_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path + "/v1/new") == [])
  }

  @Test("A write is synchronized to disk only if configured", arguments: [true, false])
  func synchronizing(_ isWanted: Bool) throws {
    let worker = try Worker("faulty", folder.directory.path, isWanted ? "synchronizes" : "not")
    let said = try #require(worker.line())
    #expect(worker.ending() == 0)
    // Where the kernel cannot be made to refuse it, there is nothing to see.
    guard said != "impossible" else { return }

    #expect(said.hasPrefix(isWanted ? "refused 1 fsync" : "stored 1"), "\(said)")
  }

  @Test("A file size limit of the system fails a write with its reason, without crashing")
  func cramped() async throws {
    let worker = try Worker("cramped", folder.directory.path, "8000", "8")
    let said = worker.lines()

    #expect(worker.ending() == 0)
    #expect(said.contains { $0.hasPrefix("stored") })
    let refused = said.filter { $0.hasPrefix("refused") }
    #expect(!refused.isEmpty)
    #expect(refused.allSatisfy { $0.contains("write") && $0.contains("File too large") })
    let cache = folder.cache()
    for line in said {
      if let name = line.number(after: "stored") {
        #expect(await cache.contains(DataCacheKey("entry \(name)")))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path + "/v1/new") == [])
  }
}
