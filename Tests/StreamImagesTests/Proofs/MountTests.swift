import Foundation
import StreamImages
import Testing

/// A small file system of its own, which only root may mount, and not everywhere.
private final class Mount {
  let path: String

  init?(_ folder: TemporaryFolder, _ options: String) {
    path = folder.url.appending(path: "mount").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path) else { return nil }
  }

  deinit { _ = Self.run("umount", "-l", path) }

  func remount(_ options: String) -> Bool { Self.run("mount", "-o", "remount,\(options)", path) }

  static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Whether this machine lets us.
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
    return Mount(folder, "size=64k") != nil
  }()
}

@Suite(
  "Full and read-only file systems", .enabled(if: Mount.isPossible), .serialized,
  .timeLimit(.minutes(2)))
struct MountTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ cache: DataCache, _ count: Int, _ name: String) async -> DataCacheError? {
    do throws(DataCacheError) {
      try await cache.store(content(count), for: DataCacheKey(name))
      return nil
    } catch {
      return error
    }
  }

  @Test("A full disk evicts the oldest entries, and fails only if that is not enough")
  func full() async throws {
    let mount = try #require(Mount(folder, "size=1m,mode=700"))
    let cache = DataCache(directory: URL(fileURLWithPath: mount.path).appending(path: "cache"))

    for name in 0..<40 { #expect(await error(cache, 60_000, "\(name)") == nil, "\(name)") }
    #expect(await cache.contains(DataCacheKey("39")))
    #expect(await cache.contains(DataCacheKey("0")) == false)

    #expect(await error(cache, 2_000_000, "huge") == .diskFull)
    #expect(await error(cache, 60_000, "after") == nil)
    let drafts = try FileManager.default.contentsOfDirectory(atPath: mount.path + "/cache/v1/new")
    #expect(drafts == [])
  }

  @Test("A disk that stays full causes one sweep a minute")
  func staysFull() async throws {
    let mount = try #require(Mount(folder, "size=1m,mode=700"))
    let time = Guarded(1_000_000_000_000)
    let directory = URL(fileURLWithPath: mount.path).appending(path: "cache")
    let cache = DataCache(.success(directory.path), DiskLimits(), now: { time.withLock { $0 } })
    for name in 0..<10 { #expect(await error(cache, 20_000, "\(name)") == nil) }

    #expect(await error(cache, 2_000_000, "huge") == .diskFull)
    let left = await cache.totals().count
    #expect(left < 10)
    for _ in 0..<5 {
      time.withLock { $0 += 10_000_000_000 }
      #expect(await error(cache, 2_000_000, "huge") == .diskFull)
    }
    #expect(await cache.totals().count == left)

    // A store that does not sweep does not delay the next sweep.
    time.withLock { $0 += 10_000_000_000 }
    #expect(await error(cache, 2_000_000, "huge") == .diskFull)
    #expect(await cache.totals().count < left)
  }

  @Test("A read-only disk is read, and writing fails without changing it")
  func readOnly() async throws {
    let mount = try #require(Mount(folder, "size=1m,mode=700"))
    let cache = DataCache(directory: URL(fileURLWithPath: mount.path).appending(path: "cache"))
    #expect(await error(cache, 1_000, "a") == nil)
    // Busy while a process that another test starts still has a copy of a descriptor that was open for writing.
    await until { mount.remount("ro") }

    #expect(await cache.data(for: DataCacheKey("a")) == content(1_000))
    guard case .systemError(_, _, EROFS) = await error(cache, 1_000, "b") else { return unexpected("stored") }
    await cache.remove(DataCacheKey("a"))
    await cache.removeAll()
    await cache.sweep()
    #expect(await cache.data(for: DataCacheKey("a")) == content(1_000))
  }

  @Test("A photo that does not fit on the disk leaves no file")
  func photograph() async throws {
    let mount = try #require(Mount(folder, "size=64k,mode=700"))
    let library = DirectoryLibrary(directory: URL(fileURLWithPath: mount.path))

    await #expect(throws: PhotoLibraryError.diskFull) {
      try await library.add(Data(count: 200_000), format: .png, named: "a")
    }

    #expect(try FileManager.default.contentsOfDirectory(atPath: mount.path) == [])
    #expect(try await library.add(Data(count: 1_000), format: .png, named: "a") == "a.png")
  }
}
