import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("HTTP cache: Vary", .timeLimit(.minutes(20)))
struct HTTPCacheVaryTests {
  private func reply(_ web: CachedWeb, _ request: Request, _ vary: String = "Accept") -> Reply {
    let accept = request[header: "Accept"] ?? "none"
    return web.reply(accept, [("Cache-Control", "max-age=60"), ("Vary", vary)])
      .with { $0.entityTag = "\"\(accept)\"" }
  }

  @Test("Each variant of a response is cached separately, however its header is spelled")
  func variants() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { reply(web, $0) }
      let cache = web.cache()
      func text(_ accept: String) async throws -> (String, CacheStatus?) {
        try await cache.text(web.request("/a", ["Accept": accept]))
      }

      #expect(try await text("image/png") == ("image/png", .miss))
      #expect(try await text("image/webp, image/png") == ("image/webp, image/png", .miss))
      #expect(try await text("image/png") == ("image/png", .hit))
      #expect(try await text("image/webp,image/png") == ("image/webp, image/png", .hit))
      #expect(try await cache.text(web.request("/a")) == ("*/*", .miss))
      #expect(try await web.cache().text(web.request("/a")) == ("*/*", .hit))
    }
  }

  /// Lets others go on after each read.
  private struct YieldingDisk: DataCaching {
    let entries = RecordingDataCache()

    func data(for key: DataCacheKey) async -> CachedData? {
      let found = await entries.data(for: key)
      for _ in 0..<100 { await Task.yield() }
      return found
    }
    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      try await entries.store(data, for: key)
    }
    func contains(_ key: DataCacheKey) async -> Bool { await entries.contains(key) }
    func remove(_ key: DataCacheKey) async { await entries.remove(key) }
    func removeAll() async { await entries.removeAll() }
  }

  @Test("All variants that are stored at the same time are found, up to eight")
  func together() async throws {
    let web = ScriptedWeb()
    web.origin.serve { request in
      .init(
        headers: ["Cache-Control": "max-age=60", "Vary": "Accept"], body: request.headers["Accept"] ?? "")
    }
    let cache = HTTPCache(web.origin, store: YieldingDisk())
    func load(_ number: Int) async throws -> CacheStatus? {
      let loaded = try await cache.load(web.request("/a", ["Accept": "\(number)"]), limits: LoadLimits())
      #expect(try await loaded.collect() == Data("\(number)".utf8))
      return loaded.head.cacheStatus
    }

    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 { group.addTask { _ = try await load(number) } }
      try await group.waitForAll()
    }
    for number in 0..<8 { #expect(try await load(number) == .hit, "\(number)") }
  }

  @Test("Revalidation sends the entity tags of all variants and uses the selected one")
  func picking() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { request in
        // Whoever has the PNG may use it for everything.
        if request[header: "If-None-Match"]?.contains("\"png\"") == true {
          return web.reply(
            "", [("ETag", "\"png\""), ("Cache-Control", "max-age=60"), ("Vary", "Accept")], status: 304)
        }
        return reply(web, request)
      }
      let cache = web.cache()
      _ = try await cache.text(web.request("/a", ["Accept": "png"]))

      #expect(try await cache.text(web.request("/a", ["Accept": "webp"])) == ("png", .revalidated))

      #expect(web.server.requests.last?[header: "If-None-Match"] == "\"png\"")
    }
  }

  @Test("A response with Vary: * is not stored")
  func star() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { reply(web, $0, "*") }
      let cache = web.cache()

      for _ in 0..<2 { #expect(try await cache.text(web.request("/a")).1 == .miss) }
    }
  }

  @Test("A response that a 304 with Vary: * confirms is used once more, and not stored")
  func starOfConfirmation() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { request in
        if request[header: "If-None-Match"] != nil {
          return web.reply(
            "", [("ETag", "\"a\""), ("Cache-Control", "max-age=60"), ("Vary", "*")], status: 304)
        }
        return web.reply("a", [("Cache-Control", "max-age=0"), ("ETag", "\"a\"")])
      }
      let cache = web.cache()
      _ = try await cache.text(web.request("/a"))

      #expect(try await cache.text(web.request("/a")) == ("a", .revalidated))
      #expect(try await cache.text(web.request("/a")) == ("a", .miss))
    }
  }

  @Test("Only the newest eight variants are kept, and the files of others are removed")
  func bounded() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { reply(web, $0) }
      let cache = web.cache()

      for kind in 0..<12 { _ = try await cache.text(web.request("/a", ["Accept": "\(kind)"])) }

      // One more for the list.
      #expect(await DataCache(directory: web.directory).totals().count == 9)
      #expect(try await cache.text(web.request("/a", ["Accept": "4"])).1 == .hit)
      #expect(try await cache.text(web.request("/a", ["Accept": "3"])).1 == .miss)
    }
  }

  @Test("All variants are removed when the URL changes or no longer varies")
  func forgetting() async throws {
    try await withCachedWeb { web async throws in
      let vary = Shared("Accept")
      web.server.serve("/a") { request in
        vary.value.isEmpty ? web.reply("same", [("Cache-Control", "max-age=60")]) : reply(web, request)
      }
      let cache = web.cache()
      for kind in ["a", "b"] { _ = try await cache.text(web.request("/a", ["Accept": kind])) }

      await cache.invalidate(web.request("/a"))
      #expect(await DataCache(directory: web.directory).totals().count == 0)

      for kind in ["a", "b"] { _ = try await cache.text(web.request("/a", ["Accept": kind])) }
      vary.change { $0 = "" }
      #expect(try await cache.text(web.request("/a", ["Accept": "c"])) == ("same", .miss))
      #expect(try await cache.text(web.request("/a", ["Accept": "a"])) == ("same", .hit))
    }
  }

  @Test("Variants are compared by all lines of a header, however they are divided")
  func lines() async throws {
    try await withCachedWeb { web async throws in
      let headers = [(name: "Cache-Control", value: "max-age=60"), (name: "Vary", value: "Accept")]
      web.server.serve("/a", inTurn: [web.reply("webp", headers), web.reply("avif", headers)])
      let cache = web.cache()
      func text(_ lines: String...) async throws -> (String, CacheStatus?) {
        var request = web.request("/a")
        for line in lines { request.headers.append("Accept", line) }
        return try await cache.text(request)
      }

      #expect(try await text("image/png", "image/webp") == ("webp", .miss))
      #expect(try await text("image/png", "image/avif") == ("avif", .miss))
      #expect(try await text("image/png, image/webp") == ("webp", .hit))
      #expect(try await text("image/png", "image/avif") == ("avif", .hit))
    }
  }

  @Test("A variant stored without its body is loaded again when a 304 selects it")
  func bodiless() async throws {
    try await withCachedWeb { web async throws in
      let headers = [
        (name: "Cache-Control", value: "max-age=60"), (name: "Vary", value: "Accept"),
        (name: "ETag", value: "\"1\""),
      ]
      web.server.serve("/a") { request in
        let isKnown = request[header: "If-None-Match"]?.contains("\"1\"") == true
        return web.reply(isKnown ? "" : "sorry", headers, status: isKnown ? 304 : 404)
      }
      let cache = web.cache()
      _ = await failure { () throws(DataLoadingError) in
        try await cache.data(for: web.request("/a", ["Accept": "png"]))
      }
      var tolerant = web.request("/a", ["Accept": "webp"])
      tolerant.acceptedStatuses.insert(404)

      #expect(try await cache.text(tolerant) == ("sorry", .miss))

      #expect(web.server.requests.map { $0[header: "If-None-Match"] } == [nil, "\"1\"", nil])
    }
  }
}
