import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("HTTPCache, when answers vary", .timeLimit(.minutes(20)))
struct HTTPCacheVaryTests {
  private func reply(_ web: CachedWeb, _ request: Request, _ vary: String = "Accept") -> Reply {
    let accept = request[header: "Accept"] ?? "none"
    return web.reply(accept, [("Cache-Control", "max-age=60"), ("Vary", vary)])
      .with { $0.entityTag = "\"\(accept)\"" }
  }

  @Test("A5.3: gives each kind of request its own answer, however it is spelled")
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

  @Test("A5.3: asks with the validators of all variants, and takes the one that the server picks")
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

  @Test("A5.3: keeps nothing that varies by everything")
  func star() async throws {
    try await withCachedWeb { web async throws in
      web.server.serve("/a") { reply(web, $0, "*") }
      let cache = web.cache()

      for _ in 0..<2 { #expect(try await cache.text(web.request("/a")).1 == .miss) }
    }
  }

  @Test("A5.3: keeps eight kinds at most, the newest, and no file of the others")
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

  @Test("A5.3: forgets all kinds at once when the picture was changed, and when it does not vary any more")
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

  @Test("A5.3: compares all lines of a field that responses vary by, however they are spread")
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

  @Test("A5.3: a variant stored without its body is loaded whole when a 304 picks it")
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
