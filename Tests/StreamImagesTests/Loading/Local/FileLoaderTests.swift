import Foundation
import StreamImages
import StreamsExtras
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that can be opened only: the loopback network has no speed.
private let fileThatCannotBeRead = "/sys/class/net/lo/speed"

@Suite struct FileLoaderTests {
  private let loader = FileLoader(chunkByteCount: 1000)

  private func error(
    _ url: URL, with loader: FileLoader? = nil, limits: LoadLimits = LoadLimits()
  ) async -> DataLoadingError? {
    let loader = loader ?? self.loader
    return await failure { () throws(DataLoadingError) in
      try await loader.data(for: DataRequest(url: url), limits: limits)
    }
  }

  @Test("Files are read on as many threads as there are, in turn")
  func lanes() {
    let work = BlockingWork(label: "a", width: 3)
    let lanes = (0..<6).map { _ in ObjectIdentifier(work.lane()) }

    #expect(Set(lanes).count == 3)
    #expect(Array(lanes.prefix(3)) == Array(lanes.suffix(3)))
  }

  @Test("A chunk has 256 KiB by default, and one byte at least")
  func chunkSizes() async throws {
    let folder = try TemporaryFolder()
    let large = try folder.file("large", Data(count: 600_000)),
      small = try folder.file("small", Data([1, 2, 3]))
    for (loader, file, sizes) in [
      (FileLoader(), large, [262_144, 262_144, 75_712]), (FileLoader(chunkByteCount: 0), small, [1, 1, 1]),
      (FileLoader(chunkByteCount: -1), small, [1, 1, 1]), (FileLoader(chunkByteCount: 2), small, [2, 1]),
      (FileLoader(chunkByteCount: 3), small, [3]), (FileLoader(chunkByteCount: 4), small, [3]),
    ] {
      let body = try await loader.load(DataRequest(url: file)).body
      var found: [Int] = []
      while let chunk = try await body.next() { found.append(chunk.count) }

      #expect(found == sizes)
    }
  }

  @Test("A file is delivered in chunks and closed at its end")
  func pieces() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("ü %41.jpg", pattern(2500))

    let loaded = try await loader.load(DataRequest(url: file))
    var counts: [Int] = []
    var whole = Data()
    while let chunk = try await loaded.body.next() {
      counts.append(chunk.count)
      whole += chunk
    }

    #expect(counts == [1000, 1000, 500])
    #expect(whole == pattern(2500))
    #expect(loaded.head.expectedByteCount == 2500)
    #expect(loaded.head.status == 200)
    #expect(try await loaded.body.next() == nil)
    #expect(await isClosed(file.path(percentEncoded: false)))
  }

  @Test("An empty file and a HEAD request have an empty body")
  func empty() async throws {
    let folder = try TemporaryFolder()
    let empty = try folder.file("empty", Data())
    let full = try folder.file("full", pattern(10))

    #expect(try await loader.data(for: DataRequest(url: empty)).body == Data())
    let (head, body) = try await loader.data(for: DataRequest(url: full, method: .head))
    #expect(body == Data() && head.expectedByteCount == 0 && head.fileVersion?.isCurrent == true)
    #expect(try await loader.load(DataRequest(url: full)).head.fileVersion == head.fileVersion)
  }

  @Test("A path that is not a regular file is refused without waiting", .timeLimit(.minutes(20)))
  func notRegular() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe").path(percentEncoded: false)
    #expect(mkfifo(pipe, 0o600) == 0)

    for path in [pipe, "/dev/zero", "/usr", "/"] {
      #expect(await error(URL(filePath: path, directoryHint: .notDirectory)) == .notARegularFile(path: path))
    }
    #expect(Descriptors.count(of: pipe) == 0)
  }

  @Test("A missing file is reported as not found")
  func missing() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("file", Data())
    let missing = folder.url.appending(path: "missing")
    let below = file.appending(path: "below")

    #expect(await error(missing) == .fileNotFound(path: missing.path(percentEncoded: false)))
    #expect(await error(below) == .fileNotFound(path: below.path(percentEncoded: false)))
  }

  @Test("A file name that is too long fails with the system error")
  func unreadable() async throws {
    let path = "/" + String(repeating: "a", count: 300)

    #expect(await error(URL(filePath: path)) == .fileUnreadable(path: path, code: ENAMETOOLONG))
  }

  @Test(
    "A file that cannot be read fails with the system error",
    .enabled(if: FileManager.default.fileExists(atPath: fileThatCannotBeRead)), .timeLimit(.minutes(20)))
  func failingRead() async throws {
    let error = await error(URL(filePath: fileThatCannotBeRead))

    #expect(error == .fileUnreadable(path: fileThatCannotBeRead, code: EINVAL))
  }

  @Test("A file above the limit is refused before it is read")
  func tooLarge() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("large", pattern(1001))
    var limits = LoadLimits()
    limits.maximumByteCount = 1000

    #expect(await error(file, limits: limits) == .tooLarge(limit: 1000, announced: 1001))
    for limit in [1001, 1002] {
      limits.maximumByteCount = limit
      #expect(await error(file, limits: limits) == nil)
    }
  }

  @Test("A file that shrinks is truncated, and bytes that are appended are ignored")
  func changing() async throws {
    let folder = try TemporaryFolder()
    let shrinking = try folder.file("shrinking", pattern(2500))
    let growing = try folder.file("growing", pattern(1500))
    let shrunk = try await loader.load(DataRequest(url: shrinking)).body
    let grown = try await loader.load(DataRequest(url: growing)).body
    _ = try await shrunk.next()
    _ = try await grown.next()

    #expect(truncate(shrinking.path(percentEncoded: false), 1000) == 0)
    let handle = try FileHandle(forWritingTo: growing)
    try handle.seekToEnd()
    try handle.write(contentsOf: pattern(5000))
    try handle.close()

    let error = await failure { () throws(DataLoadingError) in try await shrunk.next() }
    #expect(error == .truncated(received: 1000, expected: 2500))
    #expect(try await grown.next()?.count == 500)
    #expect(try await grown.next() == nil)
  }

  @Test("Only files below the roots are read, after links are resolved")
  func roots() async throws {
    let folder = try TemporaryFolder()
    let outside = try TemporaryFolder()
    let allowed = try folder.file("allowed", pattern(10))
    let secret = try outside.file("secret", pattern(10))
    let link = folder.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: secret)
    let sibling = URL(filePath: folder.url.path(percentEncoded: false) + "2")
    try pattern(10).write(to: sibling)
    defer { try? FileManager.default.removeItem(at: sibling) }
    let loader = FileLoader(roots: [folder.url])
    let climbing = URL(
      string: folder.url.absoluteString + "/%2e%2e/" + outside.url.lastPathComponent + "/secret")!

    #expect(await error(allowed, with: loader) == nil)
    for url in [secret, link, climbing, sibling] {
      guard case .fileOutsideRoots? = await error(url, with: loader) else {
        Issue.record("\(url) was read")
        continue
      }
    }
    #expect(await error(secret, with: FileLoader(roots: [URL(filePath: "/")])) == nil)
  }

  @Test(
    "File URLs that name no local file are refused",
    arguments: ["file://elsewhere/etc/passwd", "file:relative", "file:///a%00b", "file:"])
  func badURLs(text: String) async throws {
    let url = try #require(URL(string: text))

    let error = await error(url)

    guard case .badURL? = error else { return unexpected(error) }
  }

  @Test("`FileLoader` refuses other schemes")
  func otherSchemes() async {
    #expect(await error(URL(string: "http://a/")!) == .unsupportedScheme("http"))
  }

  @Test("Cancelling or releasing a load closes its file")
  func cancelling() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("a", pattern(5000))
    let path = file.path(percentEncoded: false)

    let byBody = try await loader.load(DataRequest(url: file)).body
    _ = try await byBody.next()
    byBody.cancel()
    #expect(await isClosed(path))
    #expect(await failure { () throws(DataLoadingError) in try await byBody.next() } == .cancelled)

    let byTask = try await loader.load(DataRequest(url: file)).body
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(DataLoadingError) in try await byTask.next() }
    }
    #expect(await task.value == .cancelled)
    #expect(await isClosed(path))

    do { _ = try await loader.load(DataRequest(url: file)) }
    #expect(await isClosed(path))
  }

  /// The thread that read last lets go of the file a moment after it has handed over the bytes.
  private func isClosed(_ path: String) async -> Bool {
    for _ in 0..<100_000 {
      if Descriptors.count(of: path) == 0 { return true }
      await Task.yield()
    }
    return false
  }
}
