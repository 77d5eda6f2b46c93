import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`HTTPCache`", .timeLimit(.minutes(20)))
struct HTTPCacheTests {
  @Test("A fresh response comes from disk with its age, also in the next run")
  func fresh() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/a", web.reply("one", [("Cache-Control", "max-age=60"), ("Content-Type", "image/png")]))
      #expect(try await web.cache().text(web.request("/a")) == ("one", .miss))

      web.advance(by: 59)
      let (head, body) = try await web.cache().data(for: web.request("/a"))

      #expect(body == Data("one".utf8))
      #expect(head.cacheStatus == .hit)
      #expect(head.headers["Age"] == "59")
      #expect(head.contentType == "image/png")
      #expect(head.expectedByteCount == 3)
      #expect(head.url == web.server.url("/a"))
      #expect(web.loads(of: "/a") == 1)
    }
  }

  @Test("A stale response is revalidated with its entity tag, and a 304 renews it")
  func validation() async throws {
    try await withCachedWeb { web async throws in
      let reply = web.reply("one", [("Cache-Control", "max-age=60"), ("X-Run", "1")])
      web.server.serve(
        "/a",
        inTurn: [
          reply.with { $0.entityTag = "\"1\"" },
          reply.with {
            ($0.entityTag, $0.headers) = ("\"1\"", [("Cache-Control", "max-age=90"), ("X-Run", "2")])
          },
        ])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))

      web.advance(by: 60)
      let (head, body) = try await cache.data(for: web.request("/a"))
      web.advance(by: 89)
      let later = try await cache.text(web.request("/a"))

      #expect(body == Data("one".utf8))
      #expect(head.status == 200)
      #expect(head.cacheStatus == .revalidated)
      #expect(head.headers["X-Run"] == "2")
      #expect(later == ("one", .hit))
      #expect(web.server.requests.map { $0[header: "If-None-Match"] } == [nil, "\"1\""])
    }
  }

  @Test("A changed response replaces the stored one, revalidated by date if there is no tag")
  func changed() async throws {
    try await withCachedWeb { web async throws in
      let then = Date(timeIntervalSince1970: 1_000_000_000)
      let headers = [(name: "Cache-Control", value: "max-age=60")]
      web.server.serve("/a") { request in
        let isFirst = request[header: "If-Modified-Since"] == nil
        return web.reply(isFirst ? "one" : "two", headers).with {
          $0.lastModified = isFirst ? then : then + 100
        }
      }
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      web.advance(by: 60)

      #expect(try await cache.text(web.request("/a")) == ("two", .miss))

      #expect(web.server.requests.last?[header: "If-Modified-Since"] == HTTPTime.text(1_000_000_000))
      #expect(try await cache.text(web.request("/a")) == ("two", .hit))
    }
  }

  @Test("An interrupted, abandoned or oversized body is not stored")
  func incomplete() async throws {
    try await withCachedWeb { web async throws in
      let reply = web.reply(String(repeating: "x", count: 9_000), [("Cache-Control", "max-age=60")])
      web.server.serve("/broken", inTurn: [reply.with { $0.fault = .close(afterBodyBytes: 100) }, reply])
      web.server.serve("/left", reply)
      let cache = web.cache(limit: 8_999)

      _ = await failure { () throws(DataLoadingError) in try await cache.data(for: web.request("/broken")) }
      _ = try await cache.load(web.request("/left"))
      for path in ["/broken", "/left"] {
        #expect(try await cache.text(web.request(path)).1 == .miss)
        #expect(try await cache.text(web.request(path)).1 == .miss)
      }
    }
  }

  @Test("Cancelling a body cancels its load and stores nothing")
  func cancelling() async throws {
    try await withCachedWeb { web async throws in
      let gate = try Gate()
      let reply = web.reply(String(repeating: "x", count: 9_000), [("Cache-Control", "max-age=60")])
      web.server.serve("/a", inTurn: [reply.with { $0.bodyGate = (100, gate) }, reply])
      let cache = web.cache()
      let body = try await cache.load(web.request("/a")).body
      _ = try await body.next()

      body.cancel()
      gate.open()

      #expect(await failure { () throws(DataLoadingError) in try await body.next() } == .cancelled)
      #expect(try await cache.text(web.request("/a")).1 == .miss)
    }
  }

  @Test(
    "A body of exactly the limit is stored", arguments: [Reply.Framing.contentLength, .chunked(1_000)])
  func limit(_ framing: Reply.Framing) async throws {
    try await withCachedWeb { web async throws in
      let body = String(repeating: "x", count: 9_000)
      web.server.serve(
        "/a", web.reply(body, [("Cache-Control", "max-age=60")]).with { $0.framing = framing })
      let cache = web.cache(limit: 9_000)

      #expect(try await cache.text(web.request("/a")) == (body, .miss))
      #expect(try await cache.text(web.request("/a")) == (body, .hit))
    }
  }

  @Test("URLs are distinguished by their query and not by their fragment")
  func urls() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { web.reply($0.query ?? "none", [("Cache-Control", "max-age=60")]) }
      let cache = web.cache()

      #expect(try await cache.text(web.request("/a?w=1")) == ("w=1", .miss))
      #expect(try await cache.text(web.request("/a?w=2")) == ("w=2", .miss))
      #expect(try await cache.text(web.request("/a?w=1#top")) == ("w=1", .hit))
    }
  }

  @Test("Responses are never shared between users")
  func partitions() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") {
        web.reply($0[header: "Authorization"] ?? "nobody", [("Cache-Control", "max-age=60")])
      }
      let cache = web.cache()

      for user in ["A", "B"] {
        #expect(try await cache.text(web.request("/a", ["Authorization": user])) == (user, .miss))
        #expect(try await cache.text(web.request("/a", ["Authorization": user])) == (user, .hit))
      }
      #expect(try await cache.text(web.request("/a")) == ("nobody", .miss))
      let files = try FileManager.default.subpathsOfDirectory(atPath: web.directory.path)
      for file in files where file.hasSuffix(".bin") {
        let bytes = try Data(contentsOf: web.directory.appending(path: file))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("Authorization"))
      }
    }
  }

  @Test("Range requests, conditional requests and HEAD bypass the cache")
  func passing() async throws {
    try await withCachedWeb { web async throws in
      let body = pattern(100)
      let reply = Reply(body: body).with {
        ($0.acceptsRanges, $0.entityTag, $0.headers) = (true, "\"1\"", [("Cache-Control", "max-age=60")])
      }
      web.server.serve("/a", reply)
      let cache = web.cache()
      var partial = web.request("/a", ["Range": "bytes=10-19"])
      partial.acceptedStatuses = [206]
      var conditional = web.request("/a", ["If-None-Match": "\"1\""])
      conditional.acceptedStatuses = [304]

      #expect(try await cache.data(for: partial).body == body[10..<20])
      #expect(try await cache.data(for: conditional).head.status == 304)
      #expect(try await cache.data(for: DataRequest(url: web.server.url("/a"), method: .head)).body.isEmpty)

      #expect(try await cache.data(for: web.request("/a")).head.cacheStatus == .miss)
      #expect(try await cache.data(for: web.request("/a")).body == body)
      #expect(web.loads(of: "/a") == 4)
    }
  }

  @Test("A 304 with another entity tag triggers an unconditional request")
  func falseConfirmation() async throws {
    try await withCachedWeb { web async throws in
      let headers = [(name: "Cache-Control", value: "max-age=60"), (name: "ETag", value: "\"1\"")]
      web.server.serve(
        "/a",
        inTurn: [
          web.reply("one", headers), web.reply("", [("ETag", "\"9\"")], status: 304),
          web.reply("three", headers),
        ])
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      web.advance(by: 60)

      #expect(try await cache.text(web.request("/a")) == ("three", .miss))

      #expect(web.server.requests.map { $0[header: "If-None-Match"] } == [nil, "\"1\"", nil])
    }
  }

  @Test("A 304 to an unconditional request is an error and is not stored")
  func unaskedConfirmation() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/a", web.reply("", [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")], status: 304))
      let cache = web.cache()

      for _ in 0..<2 {
        let error = await failure { () throws(DataLoadingError) in
          try await cache.data(for: web.request("/a"))
        }
        if case .status(304, _) = error {} else { unexpected(error) }
      }
      #expect(web.loads(of: "/a") == 2)
    }
  }

  @Test("A compressed response is stored decoded")
  func coding() async throws {
    try await withCachedWeb { web async throws in
      let coded = try Reply.gzipped(Gzip.packed(pattern(5_000))).with {
        $0.headers.append(("Cache-Control", "max-age=60"))
      }
      web.server.serve("/a", coded)
      web.server.serve("/unasked", coded)
      let cache = web.cache()
      var request = web.request("/a")
      request.allowsContentCoding = true

      _ = try await cache.data(for: request)
      let (head, body) = try await cache.data(for: web.request("/a"))

      #expect(body == pattern(5_000))
      #expect(head.cacheStatus == .hit)
      #expect(head.headers["Content-Encoding"] == nil)
      #expect(head.expectedByteCount == 5_000)
      for _ in 0..<2 { #expect(try await cache.data(for: web.request("/unasked")).head.cacheStatus == .miss) }
    }
  }

  @Test("A lowered size limit applies to stored responses")
  func shrunkLimits() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", web.reply("12345", [("Cache-Control", "max-age=60")]))
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))
      var limits = LoadLimits()
      limits.maximumByteCount = 4

      let error = await failure { () throws(DataLoadingError) in
        try await cache.load(web.request("/a"), limits: limits)
      }

      #expect(error == .tooLarge(limit: 4, announced: 5))
    }
  }

  @Test("Loading continues without a disk, and the storage error is reported")
  func noDisk() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", web.reply("one", [("Cache-Control", "max-age=60")]))
      let errors = Shared<[DataCacheError]>([])
      let loader = CurlLoader()
      let cache = HTTPCache(loader, store: ScriptedDataCache(error: .diskFull)) { error in
        errors.change { $0.append(error) }
      }

      #expect(try await cache.text(web.request("/a")) == ("one", .miss))

      #expect(errors.value == [.diskFull])
      loader.invalidate()
    }
  }

  @Test(
    "A successful change invalidates the URL and its Location of the same origin")
  func invalidation() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("*") { web.reply($0.path, [("Cache-Control", "max-age=60")]) }
      let cache = web.cache()
      func isKept(_ path: String) async throws -> Bool { try await cache.text(web.request(path)).1 == .hit }
      for path in ["/a", "/b", "/d"] { _ = try await cache.text(web.request(path)) }

      let failed = LoadedHead(status: 409, url: web.server.url("/a"))
      await cache.invalidate(web.request("/a"), answeredWith: failed)
      #expect(try await isKept("/a"))

      let done = LoadedHead(status: 201, headers: ["Location": "/b"], url: web.server.url("/a"))
      await cache.invalidate(web.request("/a"), answeredWith: done)
      await cache.invalidate(web.request("/d"))

      #expect(try await isKept("/a") == false)
      #expect(try await isKept("/b") == false)
      #expect(try await isKept("/d") == false)
    }
  }

  @Test(
    "A change does not invalidate responses of another origin",
    arguments: ["Location", "Content-Location"])
  func invalidationElsewhere(_ name: String) async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    try await withCachedWeb { web async throws in
      let lasting = web.reply("one", [("Cache-Control", "max-age=60")])
      for server in [web.server, other] { server.serve("/b", lasting) }
      let cache = web.cache()
      let requests = [web.request("/b"), DataRequest(url: other.url("/b"))]
      for request in requests { #expect(try await cache.text(request) == ("one", .miss)) }

      for request in requests {
        web.server.serve("/a", web.reply("done", [(name, request.url.absoluteString)], status: 201))
        _ = try await cache.data(for: DataRequest(url: web.server.url("/a"), method: .post))
      }

      #expect(try await cache.text(requests[0]) == ("one", .miss))
      #expect(try await cache.text(requests[1]) == ("one", .hit))
    }
  }

  @Test("A 404 is cached for as long as its max-age")
  func negative() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve(
        "/gone",
        inTurn: [
          web.reply("sorry", [("Cache-Control", "max-age=60")], status: 404),
          web.reply("here", [("Cache-Control", "max-age=60")]),
        ])
      web.server.serve("/nowhere", web.reply("sorry", [], status: 404))
      let cache = web.cache()
      func status(_ path: String) async -> Int? {
        let error = await failure { () throws(DataLoadingError) in
          try await cache.data(for: web.request(path))
        }
        if case .status(let status, _) = error { return status }
        return nil
      }

      for _ in 0..<3 { #expect(await status("/gone") == 404) }
      #expect(web.loads(of: "/gone") == 1)
      var tolerant = web.request("/gone")
      tolerant.acceptedStatuses.insert(404)
      #expect(try await cache.text(tolerant).0 == "here")

      for _ in 0..<2 { #expect(await status("/nowhere") == 404) }
      #expect(web.loads(of: "/nowhere") == 2)
    }
  }

  @Test("A program can set its own lifetime for responses, except for no-store")
  func policies() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a", web.reply("one", [("Cache-Control", "no-cache")]))
      web.server.serve("/never", web.reply("one", [("Cache-Control", "no-store")]))
      let cache = web.cache(.overriding(.seconds(100)))

      _ = try await cache.text(web.request("/a"))
      web.advance(by: 99)
      #expect(try await cache.text(web.request("/a")).1 == .hit)
      web.advance(by: 2)
      #expect(try await cache.text(web.request("/a")).1 == .miss)
      web.advance(by: 1_000_000)
      #expect(try await web.cache(.ignoringHTTP).text(web.request("/a")).1 == .hit)

      for _ in 0..<2 { #expect(try await cache.text(web.request("/never")).1 == .miss) }
    }
  }
}
