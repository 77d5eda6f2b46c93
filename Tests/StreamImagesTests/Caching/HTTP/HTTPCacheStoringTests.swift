import Foundation
import StreamImages
import Testing

@Suite("HTTP cache: which responses are stored")
struct HTTPCacheStoringTests {
  private let web = ScriptedWeb()

  /// Whether the response to a request that accepts its status is stored.
  private func isStored(
    _ answer: ScriptedOrigin.Answer, _ policy: HTTPCache.Policy = .respectingHTTP, coded: Bool = false
  ) async throws -> Bool {
    web.origin.serve(answer)
    await web.store.removeAll()
    var request = web.request()
    (request.allowsRedirects, request.acceptedStatuses) = (false, [answer.status])
    request.allowsContentCoding = coded

    let (head, body) = try await web.cache(policy).data(for: request)

    #expect(head.cacheStatus == .miss && body == Data("body".utf8))
    return !web.store.entries.isEmpty
  }

  private func isStored(_ status: Int, _ headers: HeaderFields) async throws -> Bool {
    try await isStored(.init(status: status, headers: headers))
  }

  @Test("A response is stored if it has a lifetime, a validator, or may be used while it is stale")
  func usefulness() async throws {
    for (control, isUseful) in [
      ("max-age=0", false), ("max-age=1", true), ("max-age=2", true), ("public", false),
      ("max-age=0, stale-while-revalidate=9", true), ("max-age=0, stale-if-error=9", true),
      ("max-age=0, stale-if-error=9, stale-while-revalidate=9", true), ("max-age=9, no-store", false),
    ] {
      #expect(try await isStored(200, ["Cache-Control": control]) == isUseful, "\(control)")
      let isAllowed = !control.contains("no-store")
      #expect(
        try await isStored(200, ["Cache-Control": control, "ETag": "\"1\""]) == isAllowed, "\(control)")
    }
    #expect(try await isStored(200, [:]) == false)
    #expect(try await isStored(200, ["Last-Modified": web.date(-1_000)]))
    #expect(try await isStored(200, ["Vary": "*", "Cache-Control": "max-age=9"]) == false)
  }

  @Test("A status that is not cacheable by itself needs an explicit lifetime")
  func explicit() async throws {
    let modified = web.date(-1_000)
    for (headers, isExplicit) in [
      (["Cache-Control": "max-age=9"], true), (["Expires": web.date(9)], true),
      (["Cache-Control": "public", "Last-Modified": modified], true),
      (["Cache-Control": "public", "Expires": web.date(9)], true),
      (["Last-Modified": modified], false), (["ETag": "\"1\""], false), ([:], false),
    ] as [(HeaderFields, Bool)] {
      #expect(try await isStored(201, headers) == isExplicit, "\(headers)")
    }
    for status in [200, 203, 204, 300, 301, 308, 404, 405, 410, 414] {
      #expect(try await isStored(status, ["Last-Modified": modified]), "\(status)")
    }
    for status in [201, 202, 205, 302, 303, 307, 400, 403, 406, 409, 411, 413, 415] {
      #expect(try await isStored(status, ["Last-Modified": modified]) == false, "\(status)")
    }
  }

  @Test("Neither partial content, nor a confirmation that was not asked for, nor a server error is stored")
  func statuses() async throws {
    for (status, isAllowed) in [
      (199, false), (200, true), (205, true), (206, false), (207, true), (303, true), (304, false),
      (305, true), (499, true), (500, false), (599, false),
    ] {
      #expect(try await isStored(status, ["Cache-Control": "max-age=9"]) == isAllowed, "\(status)")
    }
  }

  @Test("Each 200 response is stored under a policy of the program, and no other response")
  func policies() async throws {
    for policy in [.overriding(.seconds(9)), .ignoringHTTP] as [HTTPCache.Policy] {
      for (status, control, isAllowed) in [
        (200, "no-cache", true), (200, "max-age=0", true), (200, "no-store", false),
        (199, "max-age=9", false),
        (201, "max-age=9", false), (404, "max-age=9", false),
      ] {
        let answer = ScriptedOrigin.Answer(status: status, headers: ["Cache-Control": control])
        #expect(try await isStored(answer, policy) == isAllowed, "\(policy) \(status) \(control)")
      }
    }
  }

  @Test("A compressed body is stored only if the request allowed the compression")
  func coding() async throws {
    for (isCoded, isAllowed, expected) in [
      (false, false, true), (false, true, true), (true, true, true), (true, false, false),
    ] {
      let answer = ScriptedOrigin.Answer(headers: ["Cache-Control": "max-age=9"], isContentCoded: isCoded)
      #expect(try await isStored(answer, coded: isAllowed) == expected, "\(isCoded) \(isAllowed)")
    }
  }

  @Test("A response with a status that is not accepted is stored only if the resource is missing")
  func refusals() async {
    for (status, control, isAllowed) in [
      (403, "max-age=9", false), (404, "max-age=9", true), (405, "max-age=9", false),
      (410, "max-age=9", true),
      (411, "max-age=9", false), (404, "max-age=0", false), (404, "no-store", false),
    ] {
      web.origin.serve(.init(status: status, headers: ["Cache-Control": control]))
      await web.store.removeAll()
      let cache = web.cache()

      for _ in 0..<2 {
        let error = await failure { () throws(DataLoadingError) in try await cache.data(for: web.request()) }
        guard case .status(status, _) = error else { return unexpected(error) }
      }

      #expect(web.store.entries.isEmpty == !isAllowed, "\(status) \(control)")
      #expect(web.origin.requests.value.count == (isAllowed ? 1 : 2), "\(status) \(control)")
      web.origin.requests.change { $0 = [] }
    }
  }

  @Test("A response that must not be stored removes the outdated one", arguments: ["no-store", "*"])
  func outdated(_ prohibition: String) async throws {
    let headers: HeaderFields =
      prohibition == "*" ? ["Vary": "*", "Cache-Control": "max-age=9"] : ["Cache-Control": prohibition]
    web.origin.serve(.init(headers: ["Cache-Control": "max-age=9"]), .init(headers: headers))
    let cache = web.cache()
    _ = try await cache.data(for: web.request())
    #expect(web.store.entries.count == 1)
    web.advance(by: 10)

    #expect(try await cache.text(web.request()) == ("body", .miss))

    #expect(web.store.entries.isEmpty)
  }

  @Test("By default, an HTTP cache does what the server says")
  func defaults() async throws {
    web.origin.serve { request in
      .init(
        status: request.headers["If-None-Match"] == nil ? 200 : 304,
        headers: ["Cache-Control": "max-age=0", "ETag": "\"1\""])
    }
    let cache = HTTPCache(web.origin, store: web.store)

    #expect(try await cache.text(web.request()) == ("body", .miss))
    #expect(try await cache.text(web.request()) == ("body", .revalidated))
  }

  /// A disk that becomes full.
  private struct FillingDisk: DataCaching {
    let stored = RecordingDataCache()
    let isFull = Shared(false)

    func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
      if isFull.value { throw .diskFull }
      try await stored.store(data, for: key)
    }

    func data(for key: DataCacheKey) async -> CachedData? { await stored.data(for: key) }
    func contains(_ key: DataCacheKey) async -> Bool { await stored.contains(key) }
    func remove(_ key: DataCacheKey) async { await stored.remove(key) }
    func removeAll() async { await stored.removeAll() }
  }

  @Test("A confirmed response that cannot be stored again is returned, and the error is reported")
  func full() async throws {
    let (disk, errors) = (FillingDisk(), Shared([DataCacheError]()))
    web.origin.serve { request in
      .init(
        status: request.headers["If-None-Match"] == nil ? 200 : 304,
        headers: ["Cache-Control": "max-age=0", "ETag": "\"1\""])
    }
    let cache = HTTPCache(
      web.origin, store: disk, policy: .respectingHTTP,
      onStorageError: { error in errors.change { $0.append(error) } },
      now: { [web] in web.time.value })
    _ = try await cache.data(for: web.request())
    disk.isFull.change { $0 = true }

    #expect(try await cache.text(web.request()) == ("body", .revalidated))

    #expect(errors.value == [.diskFull])
  }
}
