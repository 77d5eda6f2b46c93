import Foundation
import StreamImages
import Testing

@Suite("HTTP cache: requests to the origin", .timeLimit(.minutes(20)))
struct HTTPCacheExchangeTests {
  private let web = ScriptedWeb()

  private func error(_ cache: HTTPCache, _ request: DataRequest) async -> DataLoadingError? {
    await failure { () throws(DataLoadingError) in try await cache.data(for: request) }
  }

  @Test("A stale response is revalidated by its validators, and the body of the confirmation is cancelled")
  func validators() async throws {
    let modified = web.date(-1_000)
    for (tag, date) in [("\"1\"", nil), (nil, modified), ("\"1\"", modified), (nil, nil)]
      as [(String?, String?)]
    {
      for confirmsTag in [false, true] {
        let web = ScriptedWeb()
        var headers: HeaderFields = ["Cache-Control": "max-age=9"]
        (headers["ETag"], headers["Last-Modified"]) = (tag, date)
        var confirmation: HeaderFields = ["Cache-Control": "max-age=90"]
        // A response without a tag is confirmed by its date, whichever tag it has by now.
        if confirmsTag { confirmation["ETag"] = tag ?? "\"2\"" }
        web.origin.serve { [headers, confirmation] request in
          let isAsked = request.headers.contains { $0.name.hasPrefix("If-") }
          return .init(status: isAsked ? 304 : 200, headers: isAsked ? confirmation : headers)
        }
        let (cache, isConditional) = (web.cache(), tag != nil || date != nil)
        _ = try await cache.data(for: web.request())
        web.advance(by: 10)

        #expect(try await cache.text(web.request()) == ("body", isConditional ? .revalidated : .miss))

        let request = try #require(web.origin.requests.value.last)
        #expect(web.origin.requests.value.count == 2)
        #expect(request.headers["If-None-Match"] == tag && request.headers["If-Modified-Since"] == date)
        #expect(request.acceptedStatuses.contains(304) == isConditional)
        #expect(web.origin.bodies.value.map(\.cancellations.value) == [0, isConditional ? 1 : 0])
        web.advance(by: 80)
        #expect(try await cache.text(web.request()).1 == (isConditional ? .hit : .miss))
      }
    }
  }

  @Test("A missing resource that is stored without its body is requested without validators")
  func bodiless() async {
    web.origin.serve(.init(status: 404, headers: ["Cache-Control": "max-age=9", "ETag": "\"1\""]))
    let cache = web.cache()

    for _ in 0..<2 {
      guard case .status(404, _) = await error(cache, web.request()) else { return unexpected("loaded") }
      web.advance(by: 10)
    }

    #expect(web.origin.requests.value.map { $0.headers["If-None-Match"] } == [nil, nil])
  }

  @Test("A confirmation that only the program accepts is returned, and not stored")
  func ownConfirmation() async throws {
    web.origin.serve(.init(status: 304, headers: ["Cache-Control": "max-age=9"]))
    var request = web.request()
    request.acceptedStatuses.insert(304)

    let head = try await web.cache().data(for: request).head

    #expect(head.status == 304 && head.cacheStatus == .miss)
    #expect(web.origin.requests.value.count == 1 && web.store.entries.isEmpty)
  }

  @Test("A stale response replaces errors of the connection and of the server, and no others")
  func outages() async throws {
    let head = LoadedHead(url: web.url)
    for (failure, isOutage) in [
      (.cannotResolve(host: "a"), true), (.cannotConnect(host: "a", reason: ""), true),
      (.connectionLost(.idle, reason: ""), true), (.timedOut(.total), true),
      (.tls(host: "a", reason: ""), true),
      (.status(499, head: head), false), (.status(500, head: head), true), (.status(599, head: head), true),
      (.status(600, head: head), false), (.cancelled, false), (.tooLarge(limit: 1, announced: nil), false),
      (.hostRefused(host: "a"), false), (.protocolViolation(""), false),
    ] as [(DataLoadingError, Bool)] {
      let web = ScriptedWeb()
      web.origin.serve(
        .init(headers: ["Cache-Control": "max-age=9, stale-if-error=9"]), .init(error: failure))
      let cache = web.cache()
      _ = try await cache.data(for: web.request())
      web.advance(by: 10)

      if isOutage {
        #expect(try await cache.text(web.request()) == ("body", .staleAfterError), "\(failure)")
      } else {
        #expect(await error(cache, web.request()) == failure)
      }
    }
  }

  @Test("A request that the cache has nothing to do with is passed through, and leaves what is stored")
  func passing() async throws {
    web.origin.serve(.init(headers: ["Cache-Control": "max-age=99"]))
    let cache = web.cache()
    var requests = [
      "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    ]
    .map { web.request("/a", [$0: "1"]) }
    requests.append(web.request("/a", ["Cache-Control": "no-store"]))
    requests.append(DataRequest(url: web.url, method: .head))
    requests.append(DataRequest(url: web.url, body: Data("query".utf8)))
    requests.append(DataRequest(url: URL(string: "ftp://a.example/a")!))
    #expect(try await cache.text(web.request()) == ("body", .miss))

    for request in requests {
      #expect(try await cache.text(request) == ("body", nil), "\(request)")
      #expect(try await cache.text(web.request()) == ("body", .hit), "\(request)")
    }

    #expect(web.origin.requests.value.count == requests.count + 1)
    for url in ["HTTPS://a.example/b", "http://a.example/a"] {
      #expect(try await cache.text(DataRequest(url: URL(string: url)!)) == ("body", .miss))
    }
  }

  @Test("A request that may change something and succeeds removes what is stored for its URL")
  func changes() async throws {
    for (method, body) in [(.post, nil), (.put, Data()), (.patch, Data()), (.delete, nil)]
      as [(DataRequest.Method, Data?)]
    {
      let web = ScriptedWeb()
      web.origin.serve(.init(headers: ["Cache-Control": "max-age=99"]))
      let cache = web.cache()
      _ = try await cache.data(for: web.request())

      #expect(try await cache.text(DataRequest(url: web.url, method: method, body: body)) == ("body", nil))

      #expect(try await cache.text(web.request()) == ("body", .miss), "\(method)")
    }
  }

  @Test(
    "A response requested before a change is not stored after it, neither for the URL nor for its Location",
    arguments: ["/a", "/b"])
  func changedMeanwhile(_ path: String) async throws {
    let (asked, goOn) = (Latch(), Latch())
    web.origin.serve { request in
      guard request.method == .get else { return .init(headers: ["Location": "/b"]) }
      asked.open()
      await goOn.wait()
      return .init(headers: ["Cache-Control": "max-age=99"], body: "old")
    }
    let cache = web.cache()
    let load = Task { [web] in try await cache.text(web.request(path)).0 }
    await asked.wait()

    _ = try await cache.data(for: DataRequest(url: web.url, method: .put))
    goOn.open()

    #expect(try await load.value == "old")
    #expect(web.store.entries.isEmpty)
  }

  @Test(
    "A success or a redirect invalidates the URL, its Location and its Content-Location; an error does not")
  func invalidation() async throws {
    for (status, removes) in [(199, false), (200, true), (399, true), (400, false)] {
      let web = ScriptedWeb()
      web.origin.serve(.init(headers: ["Cache-Control": "max-age=99"]))
      let (cache, paths) = (web.cache(), ["/a", "/b", "/c", "/d"])
      for path in paths { _ = try await cache.data(for: web.request(path)) }

      await cache.invalidate(
        web.request(),
        answeredWith: LoadedHead(
          status: status, headers: ["Location": "/b", "Content-Location": "https://a.example/c"], url: web.url
        ))

      let left = paths.map { web.store.entries[ResponseStore.key(web.request($0))] != nil }
      #expect(left == [!removes, !removes, !removes, true], "\(status)")
    }
  }

  @Test("A stored body of exactly the size limit is returned")
  func size() async throws {
    web.origin.serve(.init(headers: ["Cache-Control": "max-age=99"], body: "12345"))
    let cache = web.cache()
    _ = try await cache.data(for: web.request())
    for (limit, fits) in [(4, false), (5, true), (6, true)] {
      var limits = LoadLimits()
      limits.maximumByteCount = limit

      let error = await failure { [limits] () throws(DataLoadingError) in
        try await cache.load(web.request(), limits: limits)
      }

      #expect(error == (fits ? nil : .tooLarge(limit: limit, announced: 5)))
    }
  }

  @Test("An HTTP cache in front of another one passes on what is to be forgotten", arguments: [false, true])
  func nested(_ all: Bool) async throws {
    web.origin.serve(.init(headers: ["Cache-Control": "max-age=99"]))
    let outer = HTTPCache(
      web.cache(), store: RecordingDataCache(), policy: .respectingHTTP, now: { [web] in web.time.value })
    for path in ["/a", "/b"] { _ = try await outer.data(for: web.request(path)) }
    #expect(web.store.entries.count == 2)

    if all { await outer.forgetAll() } else { await outer.forget(web.request("/a")) }

    #expect(web.store.entries.count == (all ? 0 : 1))
  }

  @Test("A response that is removed while it is revalidated is not stored again", arguments: [false, true])
  func removal(_ all: Bool) async throws {
    let (disk, asked, goOn) = (RemovingDisk(), Latch(), Latch())
    web.origin.serve { request in
      guard request.headers["If-None-Match"] != nil else {
        return .init(headers: ["Cache-Control": "max-age=9", "ETag": "\"1\""])
      }
      asked.open()
      await goOn.wait()
      return .init(status: 304, headers: ["Cache-Control": "max-age=99"])
    }
    let cache = HTTPCache(web.origin, store: disk, policy: .respectingHTTP, now: { [web] in web.time.value })
    _ = try await cache.data(for: web.request())
    web.advance(by: 10)
    let load = Shared<Task<String, any Error>?>(nil)
    disk.onRemove.change {
      $0 = { [web] in
        if load.value != nil { return }
        load.change { $0 = Task { try await cache.text(web.request()).0 } }
        // It has read what is removed now.
        await asked.wait()
      }
    }

    if all { await cache.forgetAll() } else { await cache.forget(web.request()) }
    goOn.open()

    #expect(try await load.value?.value == "body")
    #expect(disk.entries.entries.isEmpty)
  }

  @Test("Flushing an HTTP cache waits for all responses that are being revalidated")
  func flushing() async throws {
    let paths = (0..<8).map { "/\($0)" }
    let latches = Shared(Dictionary(uniqueKeysWithValues: paths.map { ($0, Latch(0)) }))
    web.origin.serve { request in
      await latches.value[request.url.path]?.wait()
      return .init(headers: ["Cache-Control": "max-age=9, stale-while-revalidate=99"])
    }
    let (cache, store) = (web.cache(), web.store)
    for path in paths { _ = try await cache.data(for: web.request(path)) }
    web.advance(by: 10)
    latches.change { for path in paths { $0[path] = Latch() } }
    for path in paths { #expect(try await cache.text(web.request(path)).1 == .staleWhileRevalidating) }

    let flushed = Task {
      await cache.flush()
      return store.writes.count
    }
    for path in paths {
      let before = store.writes.count
      latches.value[path]?.open()
      await until { store.writes.count > before }
      for _ in 0..<100 { await Task.yield() }
    }

    #expect(await flushed.value == 16)
  }

  @Test("A missing resource stored without its body replaces an outage only if that body is not wanted")
  func bodilessOutage() async {
    web.origin.serve(
      .init(status: 404, headers: ["Cache-Control": "max-age=9, stale-if-error=99"]),
      .init(error: .timedOut(.total)))
    let cache = web.cache()
    var tolerant = web.request()
    tolerant.acceptedStatuses.insert(404)
    _ = await error(cache, web.request())
    web.advance(by: 10)

    #expect(await error(cache, tolerant) == .timedOut(.total))

    guard case .status(404, let head) = await error(cache, web.request()) else { return unexpected("other") }
    #expect(head.cacheStatus == .staleAfterError)
  }

  @Test(
    "A failed change invalidates, unless its own answer is an error status or it did not reach the server")
  func failedChanges() async throws {
    let elsewhere = URL(string: "https://a.example/done")!
    var redirected = LoadedHead(status: 404, url: web.url)
    redirected.wasRedirected = true
    for (failure, removes) in [
      (.status(199, head: LoadedHead(status: 199, url: web.url)), false),
      (.status(201, head: LoadedHead(status: 201, url: web.url)), true),
      (.status(303, head: LoadedHead(status: 303, url: web.url)), true),
      (.status(404, head: LoadedHead(status: 404, url: web.url)), false),
      (.status(404, head: LoadedHead(status: 404, url: elsewhere)), true),
      (.status(404, head: redirected), true),
      (.redirectRefused(.loop), true), (.tooManyRedirects(limit: 1), true),
      (.tooLarge(limit: 1, announced: 2), true),
      (.cannotConnect(host: "a", reason: ""), false), (.cannotResolve(host: "a"), false),
      (.timedOut(.connect), false), (.timedOut(.firstByte), true), (.timedOut(.total), true),
      (.connectionLost(.connect, reason: ""), false), (.connectionLost(.firstByte, reason: ""), true),
      (.cancelled, true), (.hostRefused(host: "a"), false), (.networkUnavailable(.expensive), false),
      (.unsupportedScheme("a"), false), (.badURL("a"), false), (.invalidHeader(name: "a"), false),
    ] as [(DataLoadingError, Bool)] {
      for method in [DataRequest.Method.post, .head] {
        let web = ScriptedWeb()
        web.origin.serve { request in
          request.method == .get
            ? .init(headers: ["Cache-Control": "max-age=99"]) : .init(error: failure)
        }
        let cache = web.cache()
        _ = try await cache.data(for: web.request())

        #expect(await error(cache, DataRequest(url: web.url, method: method)) == failure)

        let isRemoved = removes && method == .post
        #expect(try await cache.text(web.request()).1 == (isRemoved ? .miss : .hit), "\(failure)")
      }
    }
  }
}
