import Foundation
import StreamImages
import Testing

@Suite("`DataCache`: unusable directories")
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

  @Test("`DataCache` throws an error if a file is in place of its parent directory")
  func belowFile() async throws {
    let file = try folder.file("file", Data())
    let cache = DataCache(directory: file.appending(path: "cache"))

    guard case .systemError(_, _, ENOTDIR) = await storing(in: cache) else { return unexpected("stored") }
    #expect(await cache.data(for: key) == nil)
    #expect(await cache.contains(key) == false)
    await cache.removeAll()
    await cache.sweep()
  }

  @Test("`DataCache` throws an error if its directory cannot be created")
  func unwritable() async throws {
    let cache = DataCache(directory: URL(fileURLWithPath: "/proc/self/cache"))

    guard case .systemError = await storing(in: cache) else { return unexpected("stored") }
    await #expect(throws: DataCacheError.self) { try await cache.prepare() }
  }

  @Test("`DataCache` does not use a directory that others can write to", arguments: [0o777, 0o770])
  func open(_ mode: Int) async throws {
    let directory = folder.url.appending(path: "open")
    let cache = DataCache(directory: directory)
    try await cache.store(content(10), for: key)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.path)

    #expect(await cache.data(for: key) == nil)
    #expect(await storing(in: cache) == .untrustedDirectory(path: directory.path))
  }

  @Test(
    "`DataCache` rejects names that are not plain file names",
    arguments: ["", ".", "..", "a/b", ".hidden", "a b", "ä", String(repeating: "a", count: 129)])
  func badNames(_ name: String) {
    #expect(throws: DataCacheError.badName(name)) { try DataCache(name: name) }
  }

  @Test(
    "`DataCache` accepts letters, digits, dots, dashes and underscores in its name",
    arguments: ["azAZ09", "a.b_c-d", "a", String(repeating: "a", count: 128)])
  func goodNames(_ name: String) throws {
    #expect(try DataCache(name: name).directory?.lastPathComponent == name)
  }

  @Test("A `DataCache` without a name for its directory in the environment cannot be created")
  func noHome() async {
    // In a process of its own, as the environment is shared.
    await #expect(processExitsWith: .success) {
      unsetenv("HOME")
      unsetenv("XDG_CACHE_HOME")
      do throws(DataCacheError) {
        _ = try DataCache(name: "a")
        preconditionFailure("created")
      } catch {
        precondition(error == .noCacheDirectory)
      }
    }
  }

  @Test(
    "A full disk and a directory of others have errors of their own", arguments: [ENOSPC, EDQUOT, ENOENT])
  func systemErrors(_ code: Int32) {
    let error = DataCacheError(SystemError(operation: "open", path: "/a", code: code), "/b")

    #expect(
      error == (code == ENOENT ? .systemError(operation: "open", path: "/a", code: code) : .diskFull))
    #expect(DataCacheError(.distrust("/a"), "/b") == .untrustedDirectory(path: "/b"))
  }

  @Test("`DataCache` throws an error if its directory is deleted at every write")
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
    #expect(writes.value == 2)
  }

  @Test(
    "The environment determines the cache directory",
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

  @Test("`DataCache` throws an error and reads nothing if the environment names no directory")
  func nowhere() async {
    let cache = DataCache(.failure(.noCacheDirectory))

    #expect(await storing(in: cache) == .noCacheDirectory)
    #expect(await cache.data(for: key) == nil)
    #expect(cache.directory == nil)
    #expect(await cache.totals() == (0, 0))
  }
}
