import Foundation
import StreamImages
import Testing

@Suite("HTTP cache: stored variants")
struct ResponseStoreTests {
  private let web = ScriptedWeb()

  private func request(_ path: String = "/a", accept: String? = nil, language: String? = nil) -> DataRequest {
    var request = web.request(path)
    (request.headers["Accept"], request.headers["Accept-Language"]) = (accept, language)
    return request
  }

  /// An origin whose responses vary, and that names the values on which they depend.
  private func serveVariants(by vary: String = "Accept", tagged: Bool = false) {
    web.origin.serve { request in
      let values = vary.split(separator: ", ").map { request.headers["\($0)"] ?? "none" }
      let text = "\(request.url.path) \(values.joined(separator: " "))"
      var headers: HeaderFields = ["Cache-Control": "max-age=60", "Vary": vary]
      if tagged { headers["ETag"] = "\"\(text)\"" }
      return .init(headers: headers, body: text)
    }
  }

  @Test("Variants depend on the URL and on every header that the response names")
  func identity() async throws {
    serveVariants(by: "Accept, Accept-Language")
    let cache = web.cache()
    let requests = ["/a", "/b"].flatMap { path in
      ["png", "webp"].flatMap { accept in
        ["de", "fr"].map { request(path, accept: accept, language: $0) }
      }
    }

    for status in [.miss, .hit] as [CacheStatus] {
      for request in requests {
        let (accept, language) = (request.headers["Accept"]!, request.headers["Accept-Language"]!)
        #expect(try await cache.text(request) == ("\(request.url.path) \(accept) \(language)", status))
      }
    }
    // Without a tag, there is nothing to revalidate by.
    #expect(web.origin.requests.value.allSatisfy { $0.headers["If-None-Match"] == nil })
  }

  @Test("Equal values of different headers make different variants")
  func names() async throws {
    web.origin.serve { request in
      .init(
        headers: [
          "Cache-Control": "max-age=60",
          "Vary": request.headers["Accept"] == nil ? "Accept-Language" : "Accept",
        ], body: request.headers["Accept"] == nil ? "by language" : "by type")
    }
    let cache = web.cache()

    #expect(try await cache.text(request(accept: "x")) == ("by type", .miss))
    #expect(try await cache.text(request(language: "x")) == ("by language", .miss))
    #expect(try await cache.text(request(accept: "x")) == ("by type", .hit))
    #expect(try await cache.text(request(language: "x")) == ("by language", .hit))
  }

  @Test("The newest of two variants that match a request is used")
  func newest() async throws {
    web.origin.serve(
      .init(headers: ["Cache-Control": "max-age=60", "Vary": "Accept"], body: "old"),
      .init(headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"], body: "new"))
    let cache = web.cache()
    var anew = request(accept: "png", language: "de")
    _ = try await cache.data(for: anew)
    anew.headers["Cache-Control"] = "no-cache"

    #expect(try await cache.text(anew) == ("new", .miss))

    #expect(try await cache.text(request(accept: "png", language: "de")) == ("new", .hit))
  }

  @Test("A confirmed variant is the one with the tag, and is fresh again")
  func confirmation() async throws {
    web.origin.serve { request in
      var headers: HeaderFields = ["Cache-Control": "max-age=60", "Vary": "Accept"]
      let accept = request.headers["Accept"] ?? ""
      if accept != "other" { headers["ETag"] = accept == "tagged" ? "\"1\"" : "W/\"1\"" }
      return .init(status: accept == "third" ? 304 : 200, headers: headers, body: accept)
    }
    let cache = web.cache()
    // The newest variant has no tag.
    for accept in ["tagged", "other"] { _ = try await cache.data(for: request(accept: accept)) }

    web.advance(by: 50)
    #expect(try await cache.text(request(accept: "third")) == ("tagged", .revalidated))
    web.advance(by: 50)
    #expect(try await cache.text(request(accept: "tagged")) == ("tagged", .hit))

    #expect(web.origin.requests.value.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
  }

  @Test("A variant that must not be stored leaves the others")
  func unstorable() async throws {
    web.origin.serve { request in
      let accept = request.headers["Accept"] ?? ""
      let control = accept == "secret" ? "no-store" : "max-age=60"
      return .init(headers: ["Cache-Control": control, "Vary": "Accept"], body: accept)
    }
    let cache = web.cache()
    _ = try await cache.data(for: request(accept: "png"))

    #expect(try await cache.text(request(accept: "secret")) == ("secret", .miss))

    #expect(try await cache.text(request(accept: "png")) == ("png", .hit))
  }

  @Test("Lines of a list of variants that cannot be read are left out")
  func damaged() async throws {
    serveVariants(tagged: true)
    let (cache, key) = (web.cache(), ResponseStore.key(request()))
    for list in ["", "\n", "accept", "accept\tx", "accept\tx\ty\tz", "\t\t\t"] {
      try await web.store.store(CachedData(Data(), attributes: ["variants": list]), for: key)

      #expect(try await cache.text(request(accept: "png")) == ("/a png", .miss))
      #expect(try await cache.text(request(accept: "png")) == ("/a png", .hit))

      #expect(web.origin.requests.value.last?.headers["If-None-Match"] == nil)
    }
  }

  @Test("All variants above the limit are removed, even if there are many")
  func excess() async throws {
    serveVariants()
    let (cache, key) = (web.cache(), ResponseStore.key(request()))
    var lists: [String] = []
    for half in [0..<8, 8..<16] {
      for number in half { _ = try await cache.data(for: request(accept: "\(number)")) }
      lists.append(try #require(web.store.entries[key]?.attributes["variants"]))
      await web.store.remove(key)
    }
    let list = lists.joined(separator: "\n")
    try await web.store.store(CachedData(Data(), attributes: ["variants": list]), for: key)
    #expect(web.store.entries.count == 17)

    _ = try await cache.data(for: request(accept: "16"))

    // One more for the list.
    #expect(web.store.entries.count == 9)
  }
}
