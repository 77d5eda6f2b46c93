import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: bounds and odd files", .timeLimit(.minutes(5)))
struct DataCacheEdgeTests {
  private let folder: CacheFolder
  private let key = DataCacheKey("a")
  private let time = Shared(1_800_000_000_000_000_000)
  private let looks = Shared(0)
  /// Called with each look at the clock: once for each write, and once for each sweep.
  private let onLook = Shared<@Sendable (Int) -> Void>({ _ in })

  init() throws { folder = try CacheFolder() }

  /// A cache whose looks at the clock are counted.
  private func cache(_ limits: DiskLimits = DiskLimits()) -> DataCache {
    DataCache(.success(folder.directory.path), limits) { [time, looks, onLook] in
      looks.change { $0 += 1 }
      onLook.value(looks.value)
      return time.value
    }
  }

  /// Keys of one length, so that all entries have one size.
  private func key(_ name: Int) -> DataCacheKey { DataCacheKey("\(10_000 + name)") }

  private func names(in cache: DataCache, of range: Range<Int>) async -> [Int] {
    var names: [Int] = []
    for name in range where await cache.contains(key(name)) { names.append(name) }
    return names
  }

  @Test("Keys and attributes of any length are read back")
  func lengths() async throws {
    let cache = cache()
    for length in [0, 1, 300, 470, 512, 520, 700, 5_000] {
      for count in [0, 1, 400, 480, 495, 496, 497, 498, 499, 500, 505, 511, 512, 513, 600, 5_000] {
        let key = DataCacheKey(String(repeating: "k", count: length))
        let entry = CachedData(content(20).data, attributes: ["a": String(repeating: "b", count: count)])

        try await cache.store(entry, for: key)

        #expect(await cache.data(for: key) == entry, "\(length) \(count)")
      }
    }
  }

  @Test("The directory of a cache is a directory, and may be a link to one")
  func link() async throws {
    let elsewhere = folder.folder.url.appending(path: "elsewhere")
    try await DataCache(directory: elsewhere).store(content(10), for: key)
    try FileManager.default.createSymbolicLink(at: folder.directory, withDestinationURL: elsewhere)
    let cache = cache()

    #expect(await cache.data(for: key) == content(10))
    try await cache.store(content(20), for: key)
    #expect(await DataCache(directory: elsewhere).data(for: key) == content(20))
    #expect(cache.directory?.hasDirectoryPath == true && cache.directory?.path == folder.directory.path)
  }

  @Test(
    "A directory in place of an entry is not contained, and is moved away once, without harm to the others")
  func directory() async throws {
    let cache = cache()
    for name in 0..<10 { try await cache.store(content(100), for: key(name)) }
    await cache.settle()
    let file = folder.file(of: key)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(await cache.contains(key) == false)
    #expect(await cache.data(for: key) == nil)
    #expect(FileManager.default.fileExists(atPath: file.path))
    looks.change { $0 = 0 }

    try await cache.store(content(100), for: key)

    #expect(looks.value == 2)
    #expect(await names(in: cache, of: 0..<10) == Array(0..<10))
    #expect(await cache.contains(key))
  }

  @Test("`DataCache` throws an error if a directory appears in place of its entry at every write")
  func directoryAgain() async throws {
    let (cache, file) = (cache(), folder.file(of: key))
    try await cache.store(content(10), for: key(1))
    await cache.settle()
    looks.change { $0 = 0 }
    onLook.change {
      $0 = { look in
        if look < 10 { try? FileManager.default.createDirectory(at: file, withIntermediateDirectories: true) }
      }
    }

    await #expect {
      try await cache.store(content(10), for: key)
    } throws: { error in
      if case DataCacheError.systemError(_, _, EISDIR) = error { true } else { false }
    }
    #expect(looks.value == 2)
  }

  @Test("A link in place of the directory of drafts is the error of a store, whatever is missing besides")
  func linkedDrafts() async throws {
    let cache = cache()
    try await cache.prepare()
    let drafts = folder.directory.appending(path: "v1/new")
    try FileManager.default.createSymbolicLink(at: drafts, withDestinationURL: folder.folder.url)

    await #expect {
      try await cache.store(content(10), for: key)
    } throws: { error in
      if case DataCacheError.systemError(_, _, ENOTDIR) = error { true } else { false }
    }
  }

  @Test("A draft is locked while it is written, so that no sweep deletes it")
  func lockedDraft() async throws {
    let (cache, found) = (cache(), Shared([Bool]()))
    let drafts = folder.directory.appending(path: "v1/new")
    onLook.change {
      $0 = { _ in
        for name in (try? FileManager.default.contentsOfDirectory(atPath: drafts.path)) ?? [] {
          let file = open(drafts.appending(path: name).path, O_RDONLY)
          let isLocked = flock(file, LOCK_EX | LOCK_NB) != 0
          close(file)
          found.change { $0.append(isLocked) }
        }
      }
    }

    try await cache.store(content(10), for: key)

    #expect(found.value.first == true)
  }

  @Test("Drafts left by a crash are deleted, but no other files among them", arguments: [true, false])
  func drafts(_ all: Bool) async throws {
    let cache = cache()
    try await cache.store(content(10), for: key)
    await cache.settle()
    let drafts = folder.directory.appending(path: "v1/new")
    let kept = [".1.tmp", "1.tm", "notes.txt"], gone = ["1-1.tmp", "1-2.tmp", "1-3.tmp", "a.tmp"]
    for name in kept + gone { try Data([1]).write(to: drafts.appending(path: name)) }
    #expect(mkfifo(drafts.appending(path: "pipe.tmp").path, 0o600) == 0)
    let shard = folder.file(of: key).deletingLastPathComponent()

    if all { await cache.removeAll() } else { await cache.sweep() }

    let left = try FileManager.default.contentsOfDirectory(atPath: drafts.path)
    #expect(left.sorted() == (kept + ["pipe.tmp"]).sorted())
    #expect(FileManager.default.fileExists(atPath: shard.path) == !all)
  }

  @Test("A sweep that has nothing to delete leaves the times of use")
  func times() async throws {
    let cache = cache()
    for name in 0..<4 {
      time.change { $0 += 1_000_000_000 }
      try await cache.store(content(100), for: key(name))
    }
    await cache.settle()
    time.change { $0 += 5_000_000_000 }
    func times() throws -> [Date?] {
      try (0..<4).map {
        try FileManager.default.attributesOfItem(atPath: folder.file(of: key($0)).path)[.modificationDate]
          as? Date
      }
    }
    let before = try times()

    await cache.sweep()

    #expect(try times() == before && Set(before).count == 4)
  }

  @Test(
    "A sweep finds the oldest entries however close their times are",
    arguments: [1_000, 1_000_000, 1_000_000_000])
  func precision(_ gap: Int) async throws {
    let large = cache()
    // Not in the order of their names.
    let order = (0..<30).map { $0 * 7 % 30 }
    for name in order {
      time.change { $0 += gap }
      try await large.store(content(900), for: key(name))
    }
    await large.settle()
    let size = await large.totals().byteCount / 30
    time.change { $0 += 3_600_000_000_000 }

    let small = cache(DiskLimits(byteCount: 20 * size))
    await small.sweep()

    #expect(await names(in: small, of: 0..<30) == order.suffix(14).sorted())
  }

  @Test(
    "After a sweep or a removal of all, no further sweep is needed at once",
    arguments: ["bytes", "count", "all"])
  func afterwards(_ reason: String) async throws {
    let (large, count) = (cache(), reason == "all" ? 10 : 12)
    for name in 0..<count { try await large.store(content(900), for: key(name)) }
    await large.settle()
    let size = await large.totals().byteCount / count
    let cache = cache(reason == "count" ? DiskLimits(count: 10) : DiskLimits(byteCount: 10 * size))
    await cache.sweep()
    #expect(await cache.totals().count == (reason == "all" ? 10 : 7))
    if reason == "all" { await cache.removeAll() }
    looks.change { $0 = 0 }

    try await cache.store(content(900), for: key(20))
    await cache.settle()

    #expect(looks.value == 1)
  }

  @Test("Entries are swept again once what prevented a sweep is gone", arguments: ["link", "lock"])
  func prevented(_ obstacle: String) async throws {
    let cache = cache(DiskLimits(byteCount: 10_000))
    try await cache.prepare()
    let watch = folder.directory.appending(path: "v1/sweeping")
    var lock: Int32 = -1
    if obstacle == "link" {
      try FileManager.default.createSymbolicLink(at: watch, withDestinationURL: folder.folder.url)
    } else {
      lock = open(watch.path, O_RDWR | O_CREAT, 0o600)
      #expect(flock(lock, LOCK_EX) == 0)
    }
    for name in 0..<14 {
      try await cache.store(content(900), for: key(name))
      await cache.settle()
    }
    #expect(await cache.totals().count == 14)
    if obstacle == "link" { try FileManager.default.removeItem(at: watch) } else { close(lock) }

    for name in 14..<17 {
      try await cache.store(content(900), for: key(name))
      await cache.settle()
    }

    #expect(await cache.totals().byteCount <= 10_000)
  }
}
