import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite(.inRealTime) struct RedirectTests {
  private func error(_ request: DataRequest, _ loader: CurlLoader) async -> DataLoadingError? {
    await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
  }

  @Test("Redirects are followed over one connection", arguments: [301, 302, 303, 307, 308])
  func followed(status: Int) async throws {
    try await withLoopback { server, loader in
      server.serve("/a/b", .redirect(to: "../c?x=1#top", status: status))
      server.serve("/c", .bytes(pattern(10)))

      let (head, body) = try await loader.data(for: DataRequest(url: server.url("/a/b")))

      #expect(body == pattern(10))
      #expect(head.url == server.url("/c?x=1"))
      #expect(server.requests.map(\.target) == ["/a/b", "/c?x=1"])
      #expect(server.connectionCount == 1)
    }
  }

  @Test("A load that is redirected waits behind those that are waiting")
  func order() async throws {
    try await withLoopback({ ($0.maximumConnectionsPerHost, $0.multiplexes) = (1, false) }) {
      server, loader in
      let gate = try Gate()
      server.serve("/moved", .redirect(to: "/target").with { $0.gate = gate })
      server.serve("*", .bytes(Data([1])))
      let first = Task { try await loader.data(for: DataRequest(url: server.url("/moved"))) }
      _ = await server.waitForRequest("/moved")

      let others = ["/a", "/b"].map { path in
        let request = DataRequest(url: server.url(path))
        return Task(executorPreference: loader.executor) { try await loader.data(for: request) }
      }
      // Tasks of this thread run one after the other: both have asked.
      await Task(executorPreference: loader.executor) {}.value
      gate.open()

      _ = try await first.value
      for task in others { _ = try await task.value }
      #expect(server.requests.map(\.path) == ["/moved", "/a", "/b", "/target"])
    }
  }

  @Test("A redirect is followed without waiting for its body")
  func longBodies() async throws {
    try await withLoopback { server, loader in
      server.serve("/long", .redirect(to: "/endless").with { $0.body = pattern(1 << 20) })
      server.serve("/endless", .redirect(to: "/end").with { $0.fault = .endless })
      server.serve("/end", .bytes(pattern(10)))

      let body = try await loader.data(for: DataRequest(url: server.url("/long"))).body

      #expect(body == pattern(10))
    }
  }

  @Test("A redirect is an error status if following is disabled")
  func notFollowed() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .redirect(to: "/b"))
      var request = DataRequest(url: server.url("/a"))
      request.allowsRedirects = false

      guard case .status(302, _)? = await error(request, loader) else { return unexpected("no status") }
      #expect(server.requests.count == 1)
    }
  }

  @Test("A redirect without a location is refused, unless its status is accepted", arguments: [false, true])
  func nowhere(isCached: Bool) async throws {
    let folder = try TemporaryFolder()
    try await withLoopback { server, loader in
      server.serve("/nowhere", .status(302))
      server.serve("/empty", .redirect(to: ""))
      let cache = HTTPCache(loader, store: DataCache(directory: folder.url.appending(path: "cache")))
      let loader: any DataLoading = isCached ? cache : loader
      var accepting = DataRequest(url: server.url("/nowhere"))
      accepting.acceptedStatuses.insert(302)
      func refusal(_ path: String) async -> DataLoadingError? {
        await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url(path)))
        }
      }

      #expect(await refusal("/nowhere") == .redirectRefused(.missingLocation))
      #expect(await refusal("/empty") == .redirectRefused(.badLocation))
      let accepted = try await loader.data(for: accepting).head.status
      #expect(accepted == 302)
    }
  }

  @Test("Redirects are limited in number, and loops are refused")
  func limits() async throws {
    try await withLoopback { server, loader in
      for hop in 0..<6 { server.serve("/\(hop)", .redirect(to: "/\(hop + 1)")) }
      server.serve("/6", .bytes(pattern(10)))
      server.serve("/ping", .redirect(to: "/pong"))
      server.serve("/pong", .redirect(to: "/ping"))

      #expect(await error(DataRequest(url: server.url("/0")), loader) == .tooManyRedirects(limit: 5))
      #expect(await error(DataRequest(url: server.url("/1")), loader) == nil)
      #expect(await error(DataRequest(url: server.url("/ping")), loader) == .redirectRefused(.loop))
    }
  }

  @Test(
    "A redirect to an unsupported scheme or invalid address is refused",
    arguments: [
      ("file:///etc/passwd", DataLoadingError.RedirectRefusal.scheme("file")), ("data:,x", .scheme("data")),
      ("ftp://127.0.0.1/a", .scheme("ftp")), ("gopher://127.0.0.1:70/", .scheme("gopher")),
      ("http:///path", .badLocation), ("http://host:99999/", .badLocation), ("//", .badLocation),
    ])
  func schemes(location: String, refusal: DataLoadingError.RedirectRefusal) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .redirect(to: location))

      #expect(await error(DataRequest(url: server.url("/a")), loader) == .redirectRefused(refusal))
    }
  }

  @Test("A redirect from https to http is refused")
  func downgrade() throws {
    var chain = try RedirectChain(DataRequest(url: URL(string: "https://a.example/x")!), limits: LoadLimits())

    chain = try chain.following("//b.example/y")
    #expect(throws: DataLoadingError.redirectRefused(.downgrade)) {
      try chain.following("http://b.example/y")
    }

    #expect(chain.target == "https://b.example/y")
  }

  @Test("Invalid characters in a redirect address are percent-encoded")
  func rawCharacters() throws {
    let chain = try RedirectChain(DataRequest(url: URL(string: "https://a.example/x")!), limits: LoadLimits())

    let next = try chain.following("/a\"b|c{d}e^f`g<h>?q=\"{|}\"&r=%7B")

    #expect(next.target == "https://a.example/a%22b%7Cc%7Bd%7De%5Ef%60g%3Ch%3E?q=%22%7B%7C%7D%22&r=%7B")
    #expect(URL(string: next.target)?.absoluteString == next.target)
  }

  @Test("A redirect to another origin drops secret headers, and one within it keeps them")
  func secrets() async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    other.serve("*", .bytes(Data()))
    try await withLoopback { server, loader in
      server.serve("/near", .redirect(to: "/far"))
      server.serve("/far", .redirect(to: other.url("/end").absoluteString))
      var request = DataRequest(url: server.url("/near"))
      request.headers = ["Authorization": "Bearer 1", "Cookie": "a=1", "Origin": "http://x", "X-Plain": "p"]
      request.headers.append("X-Key", "k", isSecret: true)

      _ = try await loader.data(for: request)

      let names = ["Authorization", "Cookie", "Origin", "X-Key", "X-Plain"]
      #expect(
        server.requests.map { request in names.filter { request[header: $0] != nil } } == [names, names])
      #expect(other.requests.map { request in names.filter { request[header: $0] != nil } } == [["X-Plain"]])
    }
  }

  @Test("A redirect cannot set a user, and credentials of a URL stay with its origin")
  func users() async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    other.serve("*", .bytes(Data()))
    try await withLoopback { server, loader in
      server.serve("/a", .redirect(to: "/b"))
      server.serve("/b", .redirect(to: "http://eve:trap@127.0.0.1:\(other.port)/c"))
      let url = URL(string: "http://ann:secret@127.0.0.1:\(server.port)/a")!

      _ = try await loader.data(for: DataRequest(url: url))

      #expect(server.requests.allSatisfy { $0[header: "Authorization"] == "Basic YW5uOnNlY3JldA==" })
      #expect(server.requests.count == 2)
      #expect(other.requests.map { $0[header: "Authorization"] } == [nil])
    }
  }

  @Test("A redirect is followed although the rest of its body does not arrive")
  func stalled() async throws {
    try await withLoopback { server, loader in
      let gate = try Gate()
      server.serve("/a", .redirect(to: "/b").with { $0.bodyGate = (3, gate) })
      server.serve("/b", .bytes(Data("b".utf8)))

      var limits = LoadLimits()
      (limits.idleTimeout, limits.totalTimeout) = (.seconds(600), .seconds(1200))

      let took = try await ContinuousClock().measure {
        let body = try await loader.data(for: DataRequest(url: server.url("/a")), limits: limits).body
        #expect(body == Data("b".utf8))
      }

      #expect(took < .seconds(300))
      #expect(server.requests.map(\.connection) == [1, 2])
      gate.open()
    }
  }
}
