import Foundation
import StreamImages
import Testing

@Suite("DataCache, where it cannot be")
struct DataCachePlaceTests {
  private let folder: TemporaryFolder
  private let key = DataCacheKey("a")

  init() throws { folder = try TemporaryFolder() }

  private func storing(in cache: DataCache) async -> DataCacheError? {
    do throws(DataCacheError) {
      try await cache.store(content(10), for: key)
      return nil
    } catch {
      return error
    }
  }

  @Test("A4.3: says so if a file is in the way, and reads nothing")
  func belowFile() async throws {
    let file = try folder.file("file", Data())
    let cache = DataCache(directory: file.appending(path: "cache"))

    guard case .systemError(_, _, ENOTDIR) = await storing(in: cache) else { return unexpected("stored") }
    #expect(await cache.data(for: key) == nil)
    #expect(await cache.contains(key) == false)
    await cache.removeAll()
    await cache.sweep()
  }

  @Test("A4.3: says so if the directory cannot be made")
  func unwritable() async throws {
    let cache = DataCache(directory: URL(fileURLWithPath: "/proc/self/cache"))

    guard case .systemError = await storing(in: cache) else { return unexpected("stored") }
    await #expect(throws: DataCacheError.self) { try await cache.prepare() }
  }

  @Test("F23: does not use a directory that others may write to", arguments: [0o777, 0o770])
  func open(_ mode: Int) async throws {
    let directory = folder.url.appending(path: "open")
    let cache = DataCache(directory: directory)
    try await cache.store(content(10), for: key)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)

    #expect(await cache.data(for: key) == nil)
    #expect(await storing(in: cache) == .untrustedDirectory(path: directory.path))
  }

  @Test(
    "F22: takes names of files for its name, and nothing else",
    arguments: ["", ".", "..", "a/b", ".hidden", "a b", "ä"])
  func badNames(_ name: String) {
    #expect(throws: DataCacheError.badName(name)) { try DataCache(name: name) }
  }

  @Test(
    "F22: takes letters, digits, dots, dashes and underscores for its name", arguments: ["azAZ09", "a.b_c-d"])
  func goodNames(_ name: String) throws {
    #expect(try DataCache(name: name).directory?.lastPathComponent == name)
  }

  @Test("A4.3: says so if its directory is deleted each time it writes to it")
  func deletedAgainAndAgain() async throws {
    let directory = folder.url.appending(path: "cache")
    let writes = Shared(0)
    // A write looks at the clock before it names its file. In the end the directory stays, for a cache that never
    // gives up.
    let cache = DataCache(.success(directory.path), DiskLimits(byteCount: 1 << 20)) {
      writes.change { $0 += 1 }
      if writes.value < 10 { try? FileManager.default.removeItem(at: directory) }
      return 1
    }

    guard case .systemError(_, _, ENOENT) = await storing(in: cache) else { return unexpected(writes.value) }
  }

  @Test(
    "A4.1: is where the environment says",
    arguments: [
      (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x"),
      (["HOME": "/h"], "/h/.cache"),
      (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache"),
      (["XDG_CACHE_HOME": ""], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func environment(_ row: (environment: [String: String], path: String?)) {
    #expect(UserDirectory(environment: row.environment).caches == row.path)
  }

  @Test("A4.1: says so if the environment names no place, and reads nothing")
  func nowhere() async {
    let cache = DataCache(.failure(.noCacheDirectory))

    #expect(await storing(in: cache) == .noCacheDirectory)
    #expect(await cache.data(for: key) == nil)
    #expect(cache.directory == nil)
    #expect(await cache.totals() == (0, 0))
  }
}
