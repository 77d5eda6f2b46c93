import Foundation
import StreamImages
import TestSupport
import Testing

@Suite("`DataCache`: damaged files")
struct DataCacheDamageTests {
  private let folder: CacheFolder
  private let key = DataCacheKey("a")
  private let other = DataCacheKey("b")

  init() throws { folder = try CacheFolder() }

  @Test(
    "`DataCache` returns nothing for a damaged file and deletes it",
    arguments: ["flipped", "cut", "emptied", "garbage", "torn", "zeroes at the end", "all zeroes"])
  func damaged(_ damage: String) async throws {
    let cache = folder.cache()
    try await cache.store(content(20_000), for: key)
    let file = folder.file(of: key)
    var bytes = try Data(contentsOf: file)
    switch damage {
    // As a power failure leaves them: the size is on the disk already, a block is not.
    case "torn": bytes.resetBytes(in: 4_096..<8_192)
    case "zeroes at the end": bytes.resetBytes(in: 16_384..<bytes.count)
    case "all zeroes": bytes.resetBytes(in: 0..<bytes.count)
    case "flipped": bytes[bytes.count - 1] ^= 1
    case "cut": bytes = bytes.prefix(bytes.count / 2)
    case "emptied": bytes = Data()
    default: bytes = Data(repeating: 0xFF, count: 5_000)
    }
    try bytes.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)

    #expect(await cache.data(for: key) == nil)

    #expect(!FileManager.default.fileExists(atPath: file.path))
    try await cache.store(content(10), for: key)
    #expect(await cache.data(for: key) == content(10))
  }

  @Test("`DataCache` ignores another key's entry under the wrong name")
  func swapped() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: other)
    try FileManager.default.createDirectory(
      at: folder.file(of: key).deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: folder.file(of: other), to: folder.file(of: key))

    #expect(await cache.data(for: key) == nil)
    #expect(await cache.data(for: other) != nil)
  }

  @Test("`DataCache` does not follow soft or hard links")
  func links() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    let file = folder.file(of: key)
    let secret = folder.folder.url.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: file, to: secret)

    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
    #expect(await cache.data(for: key) == nil)

    try? FileManager.default.removeItem(at: file)
    try FileManager.default.linkItem(at: secret, to: file)
    #expect(await cache.data(for: key) == nil)
    #expect(FileManager.default.fileExists(atPath: secret.path))
  }

  @Test(
    "`DataCache` does not follow links in place of its directories", arguments: ["v1", "v1/new", "shard"])
  func linkedDirectories(_ name: String) async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    await cache.settle()
    let shard = "v1/\(key.name.prefix(2))"
    let directory = folder.directory.appending(path: name == "shard" ? shard : name)
    let elsewhere = folder.folder.url.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: directory, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: directory, withDestinationURL: elsewhere)

    if name != "v1/new" { #expect(await cache.data(for: key) == nil) }
    await #expect(throws: DataCacheError.self) { try await cache.store(content(10), for: key) }
    await cache.remove(key)
    await cache.removeAll()
    let left = FileManager.default.enumerator(atPath: elsewhere.path)?.compactMap { "\($0)" } ?? []
    #expect(left.contains { $0.hasSuffix(".bin") } == (name != "v1/new"))
  }

  @Test("`DataCache` skips a pipe or a directory in place of an entry")
  func noFile() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    let file = folder.file(of: key)

    try FileManager.default.removeItem(at: file)
    #expect(mkfifo(file.path, 0o600) == 0)
    #expect(await cache.data(for: key) == nil)

    try? FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    #expect(await cache.data(for: key) == nil)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test(
    "`DataCache` stores an entry despite a directory in its place, and deletes no contents",
    arguments: [true, false])
  func directoryInTheWay(isEmpty: Bool) async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    let file = folder.file(of: key)
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    if !isEmpty { try Data("note".utf8).write(to: file.appending(path: "note.txt")) }

    try await cache.store(content(200), for: key)

    #expect(await cache.data(for: key) == content(200))
    let left = FileManager.default.enumerator(atPath: folder.directory.path)?.compactMap { "\($0)" } ?? []
    #expect(left.filter { $0.hasSuffix("/note.txt") }.count == (isEmpty ? 0 : 1))
    #expect(left.filter { $0.contains(key.name) && !$0.hasSuffix("/note.txt") }.count == (isEmpty ? 1 : 2))
  }

  @Test(
    "`DataCache` sweeps despite a directory in place of its lock, and deletes no contents",
    arguments: [true, false])
  func directoryInPlaceOfLock(isEmpty: Bool) async throws {
    let lock = folder.directory.appending(path: "v1/sweeping")
    try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
    if !isEmpty { try Data("note".utf8).write(to: lock.appending(path: "note.txt")) }
    let cache = folder.cache(limit: 10_000)

    for name in 0..<20 { try await cache.store(content(1_000), for: DataCacheKey("\(name)")) }
    await cache.sweep()

    let left = FileManager.default.enumerator(atPath: folder.directory.path)?.compactMap { "\($0)" } ?? []
    #expect((5..<10).contains(left.count { $0.hasSuffix(".bin") }))
    #expect(left.filter { $0.hasSuffix("/note.txt") }.count == (isEmpty ? 0 : 1))
  }

  @Test("`DataCache` deletes only files that it created")
  func foreignFiles() async throws {
    let cache = folder.cache(limit: 10_000)
    try await cache.store(content(100), for: key)
    let shard = "v1/\(key.name.prefix(2))"
    let foreign = [
      "notes.txt", "v1/notes.txt", "\(shard)/notes.bin", "\(shard)/\(String(repeating: "0", count: 64)).bin",
      "v1/new/notes.txt", "v1/zz/\(String(repeating: "a", count: 64)).bin",
      "v1/zz/zz\(String(repeating: "a", count: 62)).bin",
      "\(shard)/\(key.name.prefix(2))\(String(repeating: "z", count: 62)).bin",
    ]
    let almost = Self.almostNames(of: key.name).map { "\(shard)/\($0)" }
    let empty = ["v1/abc", "v1/yy"]
    for path in empty {
      try FileManager.default.createDirectory(
        at: folder.directory.appending(path: path), withIntermediateDirectories: true)
    }
    for path in foreign + almost {
      let file = folder.directory.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(repeating: 0, count: 20_000).write(to: file)
    }

    await cache.sweep()
    await cache.removeAll()

    for path in empty { #expect(folder.exists(path), "\(path)") }
    for path in foreign where !key.name.hasPrefix("00") { #expect(folder.exists(path), "\(path)") }
    for path in almost { #expect(folder.exists(path), "\(path)") }
    #expect(!folder.exists("\(shard)/\(key.name).bin"))
  }

  /// Names that differ from that of an entry in one character.
  private static func almostNames(of name: String) -> [String] {
    let digits = Array(name)
    let others = [2, 33, 63].flatMap { place in
      ":`gAF".map { digit in
        String(digits[..<place]) + String(digit) + String(digits[(place + 1)...]) + ".bin"
      }
    }
    return others + [
      name.dropLast() + ".bin", name + "0.bin", name + ".bim", name + ".bin0", name + "_bin", name,
    ]
  }

  @Test("`DataCache` deletes drafts left by a crash, and none that are being written")
  func leftovers() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    await cache.settle()  // the first sweep, which could find a draft before its lock
    let drafts = folder.directory.appending(path: "v1/new")
    try Data(repeating: 1, count: 50).write(to: drafts.appending(path: "1-1.tmp"))
    try Data(repeating: 1, count: 50).write(to: drafts.appending(path: "1-2.tmp"))
    let writer = open(drafts.appending(path: "1-2.tmp").path, O_RDWR)
    #expect(flock(writer, LOCK_EX) == 0)

    await cache.sweep()

    #expect(!folder.exists("v1/new/1-1.tmp"))
    #expect(folder.exists("v1/new/1-2.tmp"))
    close(writer)
    #expect(await cache.data(for: key) == content(100))
  }

  @Test("`DataCache` loses no entry that is written while other instances sweep")
  func sweepingMeanwhile() async throws {
    let (writer, sweeper) = (folder.cache(), folder.cache())

    try await withThrowingTaskGroup { group in
      group.addTask {
        for index in 0..<30 { try await writer.store(content(50_000), for: DataCacheKey("\(index)")) }
      }
      group.addTask { for _ in 0..<60 { await sweeper.sweep() } }
      try await group.waitForAll()
    }

    #expect(await sweeper.totals().count == 30)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path + "/v1/new") == [])
  }

  @Test(
    "`DataCache` does not read files or directories of another owner",
    .enabled(if: canBecomeOthers, "only root has files of others"))
  func foreignOwner() async throws {
    let cache = folder.cache()
    try await cache.store(content(100), for: key)
    try #require(chown(folder.file(of: key).path, 12_345, 12_345) == 0)

    #expect(await cache.data(for: key) == nil)

    try await cache.store(content(10), for: key)
    #expect(await cache.data(for: key) == content(10))
    try #require(chown(folder.directory.path, 12_345, 12_345) == 0)
    #expect(await cache.data(for: key) == nil)
    await #expect(throws: DataCacheError.untrustedDirectory(path: folder.directory.path)) {
      try await cache.store(content(10), for: key)
    }
  }
}
