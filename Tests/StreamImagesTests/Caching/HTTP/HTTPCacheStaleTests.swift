import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("HTTP cache: stale responses", .timeLimit(.minutes(20)))
struct HTTPCacheStaleTests {
  @Test("A stale response is returned while one background request revalidates it")
  func whileRevalidating() async throws {
    try await withCachedWeb { web async throws in
      let headers = [(name: "Cache-Control", value: "max-age=10, stale-while-revalidate=30")]
      let gate = try Gate()
      web.server.serve(
        "/a", inTurn: [web.reply("one", headers), web.reply("two", headers).with { $0.gate = gate }])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      web.advance(by: 20)

      for _ in 0..<5 { #expect(try await cache.text(web.request("/a")) == ("one", .staleWhileRevalidating)) }
      gate.open()
      await cache.flush()

      #expect(web.loads(of: "/a") == 2)
      #expect(try await cache.text(web.request("/a")).0 == "two")
      await cache.flush()
    }
  }

  @Test(
    "A stale response replaces a server failure within stale-if-error",
    arguments: ["status 503", "no answer", "no server"])
  func afterError(_ failure: String) async throws {
    try await withCachedWeb { web async throws in
      let headers = [(name: "Cache-Control", value: "max-age=10, stale-if-error=30")]
      var broken = web.reply("sorry", [], status: 503)
      if failure == "no answer" { broken.fault = .closeBeforeHead }
      web.server.serve("/a", inTurn: [web.reply("one", headers), broken])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      if failure == "no server" { web.server.stop() }

      web.advance(by: 20)
      #expect(try await cache.text(web.request("/a")) == ("one", .staleAfterError))
      web.advance(by: 21)
      await #expect(throws: DataLoadingError.self) { try await cache.text(web.request("/a")) }
    }
  }

  @Test("A 404 is not replaced by a stale response")
  func gone() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/a",
        inTurn: [
          web.reply("one", [("Cache-Control", "max-age=10, stale-if-error=30")]),
          web.reply("sorry", [], status: 404),
        ])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      web.advance(by: 20)

      await #expect(throws: DataLoadingError.self) { try await cache.text(web.request("/a")) }
    }
  }

  @Test("A stale response is revalidated in the background every time")
  func revalidatingAgain() async throws {
    try await withCachedWeb { web async throws in
      let headers = [(name: "Cache-Control", value: "max-age=10, stale-while-revalidate=30")]
      web.server.serve("/a") { _ in web.reply("\(web.loads(of: "/a"))", headers) }
      let cache = web.cache()

      #expect(try await cache.text(web.request("/a")) == ("1", .miss))
      for load in 1...3 {
        web.advance(by: 20)
        #expect(try await cache.text(web.request("/a")) == ("\(load)", .staleWhileRevalidating))
        await cache.flush()
      }

      #expect(web.loads(of: "/a") == 4)
    }
  }

  @Test("An error is not replaced by a response that later became no-store")
  func forbiddenSince() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/a",
        inTurn: [
          web.reply("one", [("Cache-Control", "max-age=10, stale-if-error=1000")]),
          web.reply("two", [("Cache-Control", "no-store")]), web.reply("sorry", [], status: 503),
        ])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      web.advance(by: 20)

      #expect(try await cache.text(web.request("/a")) == ("two", .miss))

      #expect(await DataCache(directory: web.directory).totals().count == 0)
      await #expect(throws: DataLoadingError.self) { try await cache.text(web.request("/a")) }
    }
  }

  @Test("A request with only-if-cached sends nothing, and accepts stale responses only with max-stale")
  func onlyIfCached() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", web.reply("one", [("Cache-Control", "max-age=10")]))
      let cache = web.cache()
      let request = web.request("/a", ["Cache-Control": "only-if-cached"])
      func status(_ request: DataRequest) async -> Int? {
        let error = await failure { () throws(DataLoadingError) in try await cache.data(for: request) }
        if case .status(let status, _) = error { return status }
        return nil
      }

      #expect(await status(request) == 504)
      _ = try await cache.text(web.request("/a"))
      #expect(try await cache.text(request) == ("one", .hit))
      web.advance(by: 11)
      #expect(await status(request) == 504)
      let tolerant = web.request("/a", ["Cache-Control": "only-if-cached, max-stale"])
      #expect(try await cache.text(tolerant) == ("one", .stale))

      #expect(web.loads(of: "/a") == 1)
    }
  }

  @Test("Setting the clock back makes responses stale without losing them")
  func clockPutBack() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/a", web.reply("one", [("Cache-Control", "max-age=1000")]).with { $0.entityTag = "\"1\"" })
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))

      web.advance(by: -5_000)

      #expect(try await cache.text(web.request("/a")) == ("one", .revalidated))
    }
  }

  @Test("A damaged entry is a cache miss")
  func damaged() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", web.reply("one", [("Cache-Control", "max-age=1000")]))
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      let name = try #require(
        try FileManager.default.subpathsOfDirectory(atPath: web.directory.path).first { $0.hasSuffix(".bin") }
      )
      let file = web.directory.appending(path: name)
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count - 1] ^= 1
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: bytes)
      try handle.close()

      #expect(try await cache.text(web.request("/a")) == ("one", .miss))
    }
  }
}
