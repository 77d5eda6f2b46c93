import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("HTTP cache: redirects", .inRealTime, .timeLimit(.minutes(20)))
struct HTTPCacheRedirectTests {
  private func redirect(_ web: CachedWeb, to location: String, _ status: Int, _ control: String) -> Reply {
    web.reply("elsewhere", [("Location", location), ("Cache-Control", control)], status: status)
  }

  @Test("A temporary redirect is requested each time, and its target is loaded once")
  func temporary() async throws {
    try await withCachedWeb { web async throws in
      let target = Shared("/one")
      web.server.serve("/a") { _ in redirect(web, to: target.value, 302, "no-cache") }
      for path in ["/one", "/two"] {
        web.server.serve(path, web.reply(path, [("Cache-Control", "max-age=60")]))
      }
      let cache = web.cache()

      #expect(try await cache.text(web.request("/a")) == ("/one", .miss))
      #expect(try await cache.text(web.request("/a")) == ("/one", .hit))
      target.change { $0 = "/two" }
      let (head, body) = try await cache.data(for: web.request("/a"))

      #expect(body == Data("/two".utf8))
      #expect(head.url == web.server.url("/two"))
      #expect(web.server.requests.map(\.path) == ["/a", "/one", "/a", "/a", "/two"])
    }
  }

  @Test("A redirect is cached while it is fresh", arguments: [301, 302, 303, 307, 308])
  func permanent(_ status: Int) async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", redirect(web, to: "/b", status, "max-age=60"))
      web.server.serve("/b", web.reply("b", [("Cache-Control", "max-age=600")]))
      let cache = web.cache()

      let (head, _) = try await cache.data(for: web.request("/a"))
      #expect(head.wasRedirected && head.timings?.redirectCount == 1)
      for _ in 0..<3 { #expect(try await cache.text(web.request("/a")).0 == "b") }
      #expect(web.loads(of: "/a") == 1)
      web.advance(by: 61)
      #expect(try await cache.text(web.request("/a")) == ("b", .hit))

      #expect(web.loads(of: "/a") == 2)
      #expect(web.loads(of: "/b") == 1)
    }
  }

  @Test("Removing a request also removes the targets of its cached redirects")
  func forgetting() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", redirect(web, to: "/b", 301, "max-age=600"))
      web.server.serve("/b", redirect(web, to: "/c", 308, "max-age=600"))
      for path in ["/c", "/d"] { web.server.serve(path, web.reply(path, [("Cache-Control", "max-age=600")])) }
      let cache = web.cache()
      for path in ["/a", "/d"] { _ = try await cache.text(web.request(path)) }

      await cache.forget(web.request("/a"))

      for path in ["/a", "/b", "/c", "/d"] { _ = try await cache.text(web.request(path)) }
      #expect(["/a", "/b", "/c", "/d"].map { web.loads(of: $0) } == [2, 2, 2, 1])
    }
  }

  @Test("Cached redirects follow the same rules as redirects from the network")
  func rules() async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    other.serve("/c", .bytes(Data("c".utf8)))
    try await withCachedWeb { web async throws in
      web.server.serve("/a", redirect(web, to: "/b", 301, "max-age=60"))
      web.server.serve("/b", redirect(web, to: other.url("/c").absoluteString, 301, "max-age=60"))
      web.server.serve("/circle", redirect(web, to: "/circle", 301, "max-age=60"))
      web.server.serve("/file", redirect(web, to: "file:///etc/passwd", 301, "max-age=60"))
      let cache = web.cache()
      func error(_ request: DataRequest) async -> DataLoadingError? {
        await failure { () throws(DataLoadingError) in try await cache.data(for: request) }
      }
      var unfollowed = web.request("/a")
      unfollowed.allowsRedirects = false

      for _ in 0..<2 {
        let request = web.request("/a", ["Authorization": "secret"])
        #expect(try await cache.text(request).0 == "c")
        #expect(await error(web.request("/circle")) == .redirectRefused(.loop))
        #expect(await error(web.request("/file")) == .redirectRefused(.scheme("file")))
        if case .status(301, _) = await error(unfollowed) {} else { Issue.record("followed") }
      }

      #expect(web.loads(of: "/circle") == 1)
      #expect(other.requests.allSatisfy { $0[header: "Authorization"] == nil })
    }
  }

  @Test("A change that is answered with a redirect invalidates, even if the redirect leads to a missing page")
  func invalidationBeforeFailure() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { request in
        request.method == "POST"
          ? .redirect(to: "/gone", status: 303) : web.reply("a", [("Cache-Control", "max-age=60")])
      }
      web.server.serve("/gone", .status(404))
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))

      let error = await failure { () throws(DataLoadingError) in
        try await cache.data(
          for: DataRequest(url: web.server.url("/a"), method: .post, body: Data("x".utf8)))
      }
      guard case .status(404, _) = error else { return unexpected(error) }

      #expect(try await cache.text(web.request("/a")).1 == .miss)
    }
  }

  @Test("A change that is answered with a redirect invalidates, even if the redirect leads to a dead server")
  func invalidationBeforeDeadServer() async throws {
    let dead = try RefusingPort()
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { request in
        request.method == "POST"
          ? .redirect(to: dead.url("/").absoluteString, status: 303)
          : web.reply("a", [("Cache-Control", "max-age=60")])
      }
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))

      let error = await failure { () throws(DataLoadingError) in
        try await cache.data(for: DataRequest(url: web.server.url("/a"), method: .post))
      }

      if case .connectionLost(.firstByte, _) = error {} else { unexpected(error) }
      #expect(try await cache.text(web.request("/a")).1 == .miss)
    }
  }

  @Test("Redirects followed by `HTTPCache` share one total timeout")
  func time() async throws {
    try await withCachedWeb { web async throws in
      for hop in 0..<5 {
        let next = redirect(web, to: "/\(hop + 1)", 302, "no-store")
        web.server.serve("/\(hop)", next.with { $0.delay = .milliseconds(100) })
      }
      var limits = LoadLimits()
      limits.totalTimeout = .milliseconds(250)

      let error = await failure { [limits] () throws(DataLoadingError) in
        try await web.cache().load(web.request("/0"), limits: limits)
      }

      #expect(error == .timedOut(.total))
      #expect(web.server.requests.count < 5)
    }
  }

  @Test("A stored response keeps its URL, however long it is, without user and password")
  func longURL() throws {
    let url = try #require(
      URL(string: "https://user:word@example.org/a?b=" + String(repeating: "c", count: 5_000)))
    let response = StoredResponse(LoadedHead(url: url), body: Data([1]), requestTime: 1, responseTime: 2)

    let read = try #require(StoredResponse(response.cached))

    #expect(read.url.absoluteString == url.absoluteString.replacing("user:word@", with: ""))
  }
}
