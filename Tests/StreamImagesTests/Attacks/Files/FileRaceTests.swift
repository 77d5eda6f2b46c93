import Foundation
import StreamImages
import Testing

extension Attacks {
  @Suite("File races", .timeLimit(.minutes(20)), .inRealTime)
  struct FileRaceTests {
    private let inside = Data("inside".utf8)
    private let outside = Data("outside".utf8)
    private let folder: TemporaryFolder
    private let elsewhere: TemporaryFolder

    init() throws {
      (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
      try makeDirectory("root/a/b")
      try inside.write(to: folder.url.appending(path: "root/a/b/file"))
      for path in ["b/file", "file"] {
        let file = elsewhere.url.appending(path: path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try outside.write(to: file)
      }
    }

    private func makeDirectory(_ path: String) throws {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }

    @Test(
      "Reading below a root never leaves it, while a part of the path is exchanged for a link",
      arguments: [("root/a", ""), ("root/a/b", "b"), ("root/a/b/file", "b/file")])
    func root(_ part: String, _ target: String) async throws {
      let link = folder.url.appending(path: "root/link")
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: elsewhere.url.appending(path: target))
      let loader = FileLoader(roots: [folder.url.appending(path: "root")])
      let request = DataRequest(url: folder.url.appending(path: "root/a/b/file"))
      let exchange = Exchange(folder.url.appending(path: part), link)
      defer { exchange.stop() }

      var bodies: [Data: Int] = [:]
      var loads = 0
      while loads < 2_000 || exchange.rounds < 2_000 || bodies[inside, default: 0] < 10 {
        if let body = try? await loader.data(for: request).body { bodies[body, default: 0] += 1 }
        loads += 1
      }

      #expect(bodies.keys.map { $0 } == [inside], "of \(loads) loads: \(bodies.values)")
    }

    @Test("Links inside a root are followed, and links out of it and back are not")
    func links() async throws {
      let root = folder.url.appending(path: "root")
      let (relative, absolute, out) = ("relative", "absolute", "out")
      let manager = FileManager.default
      try manager.createSymbolicLink(
        atPath: root.appending(path: relative).path, withDestinationPath: "a/../a/b")
      try manager.createSymbolicLink(
        atPath: root.appending(path: absolute).path, withDestinationPath: root.appending(path: "a/b").path)
      try manager.createSymbolicLink(
        atPath: root.appending(path: out).path, withDestinationPath: elsewhere.url.path)
      let loader = FileLoader(roots: [root])

      for name in [relative, absolute] {
        let url = root.appending(path: name).appending(path: "file")
        #expect(try await loader.data(for: DataRequest(url: url)).body == inside)
      }
      let refused = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: root.appending(path: out).appending(path: "file")))
      }
      guard case .fileOutsideRoots? = refused else { return unexpected(refused) }
    }

    @Test(
      "`DataCache` reads no entry writable by others while its directory is swapped"
    )
    func cache() async throws {
      let (own, planted) = (folder.url.appending(path: "cache"), folder.url.appending(path: "planted"))
      let key = DataCacheKey("a")
      try await DataCache(directory: own).store(CachedData(inside), for: key)
      try await DataCache(directory: planted).store(CachedData(outside), for: key)
      for path in try FileManager.default.subpathsOfDirectory(atPath: planted.path)
      where path.hasSuffix(".bin") {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o666], ofItemAtPath: planted.appending(path: path).path)
      }
      let cache = DataCache(directory: own)
      let exchange = Exchange(own.appending(path: "v1"), planted.appending(path: "v1"))
      defer { exchange.stop() }

      var found: [Data: Int] = [:]
      var reads = 0
      while reads < 2_000 || exchange.rounds < 2_000 {
        if let entry = await cache.data(for: key) { found[entry.data, default: 0] += 1 }
        reads += 1
      }

      #expect(found[outside] == nil)
    }
  }
}
