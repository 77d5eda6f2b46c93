import Foundation
import LoopbackServer
import StreamImages

/// A server behind a cache, at a time that the test sets.
final class CachedWeb: Sendable {
  let server: LoopbackServer
  let folder: TemporaryFolder
  private let loader: CurlLoader
  /// In seconds since 1970.
  let time = Shared(1_800_000_000)

  fileprivate init() throws {
    server = try LoopbackServer()
    folder = try TemporaryFolder()
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    loader = CurlLoader(configuration)
  }

  var directory: URL { folder.url.appending(path: "cache") }

  /// A cache with what earlier ones left: a new run of the program.
  func cache(_ policy: HTTPCache.Policy = .respectingHTTP, limit: Int = 16 << 20) -> HTTPCache {
    HTTPCache(
      loader, store: DataCache(directory: directory), policy: policy, maximumEntryByteCount: limit,
      now: { [time] in time.value })
  }

  func advance(by seconds: Int) { time.change { $0 += seconds } }

  /// A reply with headers, and the present as its date.
  func reply(_ body: String, _ headers: [(name: String, value: String)], status: Int = 200) -> Reply {
    Reply(status: status, body: Data(body.utf8)).with {
      $0.headers = headers + [("Date", HTTPTime.text(time.value))]
    }
  }

  func request(_ path: String, _ headers: HeaderFields = [:]) -> DataRequest {
    DataRequest(url: server.url(path), headers: headers)
  }

  func loads(of path: String) -> Int { server.requests.count { $0.path == path } }

  fileprivate func close() {
    loader.invalidate()
    server.stop()
  }
}

/// Runs a test with a server and caches that are gone when it is over.
func withCachedWeb(_ test: (CachedWeb) async throws -> Void) async throws {
  try await RealTime.run {
    let web = try CachedWeb()
    defer { web.close() }
    try await test(web)
  }
}

extension DataLoading {
  /// The body as text, and what a cache had to do with it.
  func text(_ request: DataRequest) async throws -> (String, CacheStatus?) {
    let (head, body) = try await data(for: request)
    return (String(decoding: body, as: UTF8.self), head.cacheStatus)
  }
}
