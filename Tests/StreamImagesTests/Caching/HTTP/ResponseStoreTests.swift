import Foundation
import StreamImages
import Testing

@Suite("HTTP cache: stored variants")
struct ResponseStoreTests {
  private let web = ScriptedWeb()
  private let folder: CacheFolder

  init() throws { folder = try CacheFolder() }

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

  @Test(
    "A 304 with the tag of another variant returns that one, not the stored response without a tag",
    arguments: ["missing", "dated"])
  func selection(_ kind: String) async throws {
    let (isOne, modified) = (Shared(false), web.date(-1_000))
    web.origin.serve { request in
      var headers: HeaderFields = ["Cache-Control": "max-age=60", "Vary": "Accept"]
      if request.headers["Accept"] == "webp", !isOne.value {
        if kind == "missing" { return .init(status: 404, headers: headers) }
        headers["Last-Modified"] = modified
        return .init(headers: headers, body: "webp")
      }
      headers["ETag"] = "\"1\""
      return .init(status: request.headers["If-None-Match"] == nil ? 200 : 304, headers: headers, body: "png")
    }
    let cache = web.cache()
    _ = try await cache.data(for: request(accept: "png"))
    _ = await failure { () throws(DataLoadingError) in
      try await cache.data(for: request(accept: "webp", language: "de"))
    }
    // From now on, the server has the PNG for everyone.
    isOne.change { $0 = true }
    web.advance(by: 61)

    #expect(try await cache.text(request(accept: "webp")) == ("png", .revalidated))

    #expect(web.origin.requests.value.last?.headers["If-None-Match"] == "\"1\"")
  }

  @Test("A 304 without a tag confirms no response if the request named several")
  func ambiguous() async throws {
    web.origin.serve { request in
      if request.headers["If-None-Match"] != nil { return .init(status: 304) }
      let accept = request.headers["Accept"] ?? ""
      return .init(
        headers: ["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": "\"\(accept)\""], body: accept)
    }
    let cache = web.cache()
    _ = try await cache.data(for: request(accept: "png"))
    web.advance(by: 61)
    #expect(try await cache.text(request(accept: "png")) == ("png", .revalidated))
    await cache.invalidate(request())
    for accept in ["png", "webp"] { _ = try await cache.data(for: request(accept: accept)) }
    web.advance(by: 61)

    #expect(try await cache.text(request(accept: "png")) == ("png", .miss))

    let tags = web.origin.requests.value.suffix(2).map { $0.headers["If-None-Match"] }
    #expect(tags == ["\"png\", \"webp\"", nil])
  }

  @Test("A response that a 304 with Vary confirms is not used for a request with other headers")
  func varyOfConfirmation() async throws {
    web.origin.serve { request in
      let accept = request.headers["Accept"] ?? "none"
      let tag = "\"\(accept)\""
      if request.headers["If-None-Match"] == tag {
        return .init(status: 304, headers: ["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": tag])
      }
      return .init(headers: ["Cache-Control": "max-age=60", "ETag": tag], body: accept)
    }
    let cache = web.cache()
    _ = try await cache.data(for: request(accept: "png"))
    web.advance(by: 61)
    #expect(try await cache.text(request(accept: "png")) == ("png", .revalidated))
    #expect(try await cache.text(request(accept: "png")) == ("png", .hit))

    #expect(try await cache.text(request(accept: "webp")) == ("webp", .miss))
  }

  @Test("A variant that a 304 with a longer Vary confirms is not used for a request that differs in it")
  func longerVaryOfConfirmation() async throws {
    web.origin.serve { request in
      let language = request.headers["Accept-Language"] ?? "none"
      let tag = "\"\(language)\""
      if request.headers["If-None-Match"] == tag {
        return .init(
          status: 304,
          headers: ["Cache-Control": "max-age=60", "Vary": "Accept, Accept-Language", "ETag": tag])
      }
      return .init(headers: ["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": tag], body: language)
    }
    let cache = web.cache()
    _ = try await cache.data(for: request(accept: "png", language: "de"))
    web.advance(by: 61)
    #expect(try await cache.text(request(accept: "png", language: "de")) == ("de", .revalidated))
    // One more for the list.
    #expect(web.store.entries.count == 2)

    #expect(try await cache.text(request(accept: "png", language: "fr")) == ("fr", .miss))

    #expect(web.origin.requests.value.last?.headers["If-None-Match"] == "\"de\"")
  }

  /// Runs something in a task that is cancelled. In one, a ``DataCache`` reads nothing.
  private func cancelled(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await work()
    }.value
  }

  @Test("A variant whose body ends in a cancelled task is stored, and leaves the others")
  func cancelledStoring() async throws {
    serveVariants()
    let cache = HTTPCache(web.origin, store: folder.cache(), policy: .respectingHTTP) { [web] in
      web.time.value
    }
    _ = try await cache.data(for: request(accept: "png"))
    let body = try await cache.load(request(accept: "webp")).body

    try await cancelled { while try await body.next() != nil {} }

    for accept in ["png", "webp"] {
      #expect(try await cache.text(request(accept: accept)) == ("/a \(accept)", .hit))
    }
  }

  @Test("A removal in a cancelled task follows stored redirects, and removes all variants")
  func cancelledRemoval() async throws {
    web.origin.serve { request in
      if request.url.path == "/a" {
        return .init(status: 301, headers: ["Cache-Control": "max-age=60", "Location": "/b"])
      }
      return .init(headers: ["Cache-Control": "max-age=60", "Vary": "Accept"])
    }
    let disk = folder.cache()
    let cache = HTTPCache(web.origin, store: disk, policy: .respectingHTTP) { [web] in web.time.value }
    var redirect = request("/a")
    (redirect.allowsRedirects, redirect.acceptedStatuses) = (false, [301])
    _ = try await cache.data(for: redirect)
    for accept in ["png", "webp"] { _ = try await cache.data(for: request("/b", accept: accept)) }
    #expect(await disk.totals().count == 4)

    try await cancelled { [request = request("/a")] in await cache.forget(request) }

    #expect(await disk.totals().count == 0)
  }
}
