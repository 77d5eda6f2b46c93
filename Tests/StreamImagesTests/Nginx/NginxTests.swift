import Foundation
import StreamImages
import Testing

/// What `Scripts/test-nginx` says of the server that it runs.
enum Nginx {
  static let environment = ProcessInfo.processInfo.environment
  static var isThere: Bool { environment["NGINX_HTTPS"] != nil }
}

/// How the server is talked to.
enum Way: String, CaseIterable {
  case plain, secure, http2

  func url(_ path: String) -> URL {
    let base = Nginx.environment[self == .plain ? "NGINX_HTTP" : "NGINX_HTTPS"] ?? "http://127.0.0.1"
    return URL(string: base + path)!
  }

  func loader(_ configure: (inout CurlLoader.Configuration) -> Void = { _ in }) -> CurlLoader {
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    configuration.usesHTTP2 = self == .http2
    configuration.certificateAuthorities = Nginx.environment["NGINX_CA"]
    configure(&configuration)
    return CurlLoader(configuration)
  }

  var version: String { self == .http2 ? "2" : "1.1" }
}

@Suite("Nginx", .enabled(if: Nginx.isThere), .timeLimit(.minutes(20)))
struct NginxTests {
  @Test(
    "Bodies from zero bytes to 100 MB arrive unchanged over the expected HTTP version",
    arguments: Way.allCases)
  func bodies(_ way: Way) async throws {
    let loader = way.loader()
    let folder = URL(filePath: try #require(Nginx.environment["NGINX_FILES"]))
    var limits = LoadLimits()
    limits.maximumByteCount = 200_000_000
    for (name, count) in [("empty", 0), ("small", 20_000), ("medium", 1_000_000), ("large", 100_000_000)] {
      let file = try Data(contentsOf: folder.appending(path: name))

      let (head, body) = try await loader.data(for: DataRequest(url: way.url("/\(name)")), limits: limits)

      #expect(head.httpVersion == way.version)
      #expect(head.expectedByteCount == count)
      #expect(body.count == count)
      // Compared before the macro sees them: it would print all bytes of two that differ.
      let isSame = body == file
      #expect(isSame, "\(name)")
    }
    loader.invalidate()
  }

  @Test("200 concurrent loads return the same body", arguments: Way.allCases)
  func many(_ way: Way) async throws {
    let loader = way.loader()
    let whole = try await loader.data(for: DataRequest(url: way.url("/small"))).body

    let right = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        let request = DataRequest(url: way.url("/small?\(number)"))
        group.addTask { try await loader.data(for: request).body == whole }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }

    #expect(right == 200)
    loader.invalidate()
  }

  @Test("HEAD, error statuses, redirects and loops are handled", arguments: Way.allCases)
  func statuses(_ way: Way) async throws {
    let loader = way.loader()
    func error(_ path: String) async -> DataLoadingError? {
      await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: way.url(path)))
      }
    }

    #expect(try await loader.data(for: DataRequest(url: way.url("/small"), method: .head)).body.isEmpty)
    for (path, status) in [("/none", 404), ("/teapot", 418), ("/busy", 503)] {
      if case .status(status, _) = await error(path) {} else { Issue.record("\(path)") }
    }
    #expect(try await loader.data(for: DataRequest(url: way.url("/moved"))).head.url == way.url("/small"))
    #expect(await error("/circle") == .redirectRefused(.loop))
    loader.invalidate()
  }

  @Test(
    "Bodies are compressed only on request, and a decompression bomb is stopped", arguments: Way.allCases)
  func coding(_ way: Way) async throws {
    let loader = way.loader()
    var coded = DataRequest(url: way.url("/text.txt"))
    coded.allowsContentCoding = true
    var bomb = DataRequest(url: way.url("/bomb"))
    bomb.allowsContentCoding = true

    let (head, body) = try await loader.data(for: coded)
    let plain = try await loader.data(for: DataRequest(url: way.url("/text.txt")))
    var limits = LoadLimits()
    limits.maximumByteCount = .max
    let error = await failure { [limits, bomb] () throws(DataLoadingError) in
      try await loader.data(for: bomb, limits: limits)
    }

    #expect(head.isContentCoded)
    #expect(!plain.head.isContentCoded)
    #expect(body == plain.body)
    #expect(body.count == 200_000)
    #expect(error == .expandsTooMuch(ratio: 100))
    loader.invalidate()
  }

  @Test("A cancelled load is resumed with the server's validator", arguments: Way.allCases)
  func resuming(_ way: Way) async throws {
    let network = way.loader { $0.bufferedByteCount = 65_536 }
    let whole = try await network.data(for: DataRequest(url: way.url("/medium"))).body
    let loader = ResumableLoader(network)
    do {
      let loaded = try await loader.load(DataRequest(url: way.url("/medium")))
      #expect(try #require(try await loaded.body.next()).count < 1_000_000)
      loaded.body.cancel()
    }
    #expect(loader.keptByteCount > 0)

    let (head, body) = try await loader.data(for: DataRequest(url: way.url("/medium")))

    #expect(head.resumedByteCount > 0)
    #expect(body == whole)
    network.invalidate()
  }

  @Test(
    "Responses are cached, revalidated or never stored, as their headers specify", arguments: Way.allCases)
  func caching(_ way: Way) async throws {
    let folder = try TemporaryFolder()
    let network = way.loader()
    let cache = HTTPCache(network, store: DataCache(directory: folder.url.appending(path: "cache")))

    for (path, status) in [("/fresh", CacheStatus.hit), ("/stale", .revalidated), ("/never", .miss)] {
      let first = try await cache.data(for: DataRequest(url: way.url(path)))
      let second = try await cache.data(for: DataRequest(url: way.url(path)))

      #expect(first.head.cacheStatus == .miss)
      #expect(second.head.cacheStatus == status, "\(path)")
      #expect(second.body == first.body)
    }
    network.invalidate()
  }

  @Test("A cancelled load gives up its place at once", arguments: Way.allCases)
  func cancelling(_ way: Way) async throws {
    // One at a time. The server stalls in the body, so without the cancellation only the timeout would end each load.
    let loader = way.loader { ($0.maximumConnectionsPerHost, $0.maximumStreamsPerConnection) = (1, 1) }
    var limits = LoadLimits()
    limits.idleTimeout = .seconds(5)
    let took = try await ContinuousClock().measure {
      for _ in 0..<20 {
        let loaded = try await loader.load(DataRequest(url: way.url("/stops")), limits: limits)
        _ = try await loaded.body.next()
        loaded.body.cancel()
      }
      #expect(try await loader.data(for: DataRequest(url: way.url("/small"))).body.count == 20_000)
    }

    #expect(took < .seconds(45))
    loader.invalidate()
  }

  @Test("A body that is not read does not delay other loads", arguments: Way.allCases)
  func paused(_ way: Way) async throws {
    let loader = way.loader()
    var limits = LoadLimits()
    limits.maximumByteCount = 200_000_000
    let idle = try await loader.load(DataRequest(url: way.url("/large")), limits: limits)

    for _ in 0..<20 {
      #expect(try await loader.data(for: DataRequest(url: way.url("/small"))).body.count == 20_000)
    }

    idle.body.cancel()
    loader.invalidate()
  }

  @Test("A second connection resumes the TLS session")
  func sessions() async throws {
    let loader = Way.secure.loader()
    let server = Nginx.environment["NGINX_BRIEF"] ?? ""
    var limits = LoadLimits()
    limits.maximumByteCount = 200_000_000

    // A body that waits keeps its connection to itself: this one is longer than what is read ahead.
    let large = DataRequest(url: try #require(URL(string: server + "/large")))
    let first = try await loader.load(large, limits: limits)
    let second = try await loader.load(DataRequest(url: try #require(URL(string: server + "/small"))))

    #expect(first.head.headers["X-Reused"] == ".")
    #expect(second.head.headers["X-Reused"] == "r")
    for loaded in [first, second] { loaded.body.cancel() }
    loader.invalidate()
  }

  @Test("A loader connects again after its file of certificate authorities is deleted")
  func authorities() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "authorities.pem")
    let original = try #require(Nginx.environment["NGINX_CA"])
    try FileManager.default.copyItem(at: URL(filePath: original), to: file)
    let loader = Way.secure.loader { $0.certificateAuthorities = file.path }
    let request = DataRequest(url: Way.secure.url("/small"))
    _ = try await loader.data(for: request)
    try FileManager.default.removeItem(at: file)

    // More than one at a time, so that new connections are made.
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 { group.addTask { try await loader.data(for: request).body.count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes == [20_000, 20_000, 20_000, 20_000])

    let other = Way.secure.loader { $0.certificateAuthorities = file.path }
    let error = await failure { () throws(DataLoadingError) in try await other.data(for: request) }
    guard case .unavailable? = error else { return unexpected(error) }
    loader.invalidate()
    other.invalidate()
  }

  @Test("A server without a trusted certificate authority is refused")
  func untrusted() async throws {
    let loader = Way.http2.loader { $0.certificateAuthorities = nil }

    let error = await failure { () throws(DataLoadingError) in
      try await loader.data(for: DataRequest(url: Way.http2.url("/small")))
    }

    if case .tls = error {} else { unexpected(error) }
    loader.invalidate()
  }
}
