import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Request bodies", .timeLimit(.minutes(20)))
struct SendingTests {
  private func request(
    _ url: URL, _ method: DataRequest.Method = .post, body: Data? = Data("{}".utf8)
  ) -> DataRequest {
    DataRequest(url: url, method: method, headers: ["Content-Type": "application/json"], body: body)
  }

  @Test(
    "A request is sent with its method, headers and body, whatever its size",
    arguments: [(.post, 2), (.put, 100_000), (.patch, 3_000_000), (.delete, 10), (.post, 0)]
      as [(DataRequest.Method, Int)])
  func sent(_ method: DataRequest.Method, _ count: Int) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(10)))

      let body = try await loader.data(for: request(server.url("/a"), method, body: pattern(count))).body

      #expect(body == pattern(10))
      let received = try #require(server.requests.first)
      #expect(received.method == method.rawValue)
      #expect(Data(received.body) == pattern(count))
      #expect(received[header: "Content-Type"] == "application/json")
      #expect(received[header: "Content-Length"] == "\(count)")
      #expect(received[header: "Expect"] == nil)
    }
  }

  @Test("A request without a body or content type sends no header for it")
  func bare() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(Data()))

      _ = try await loader.data(for: DataRequest(url: server.url("/a"), method: .delete))
      _ = try await loader.data(for: DataRequest(url: server.url("/a"), method: .post))
      _ = try await loader.data(for: DataRequest(url: server.url("/a"), method: .post, body: Data([1])))
      _ = try await loader.data(for: DataRequest(url: server.url("/a")))
      _ = try await loader.data(for: DataRequest(url: server.url("/a"), body: Data([1])))

      #expect(server.requests.map(\.method) == ["DELETE", "POST", "POST", "GET", "GET"])
      #expect(server.requests.map { $0[header: "Content-Length"] } == [nil, "0", "1", nil, "1"])
      #expect(server.requests.allSatisfy { $0[header: "Content-Type"] == nil })
      #expect(server.connectionCount == 1)
    }
  }

  @Test(
    "A redirect resends the body only if its status requires it",
    arguments: [
      (301, .post, "GET"), (302, .post, "GET"), (303, .put, "GET"), (307, .post, "POST"),
      (308, .patch, "PATCH"),
      (301, .put, "PUT"), (303, .get, "GET"), (303, .head, "HEAD"),
    ] as [(Int, DataRequest.Method, String)])
  func redirected(_ status: Int, _ method: DataRequest.Method, _ second: String) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .redirect(to: "/b", status: status))
      server.serve("/b", .bytes(pattern(10)))
      let body = method.isSafe ? nil : Data("{}".utf8)

      _ = try await loader.data(for: request(server.url("/a"), method, body: body))

      let received = try #require(server.requests.last)
      #expect(received.path == "/b")
      #expect(received.method == second)
      let isSentAgain = !["GET", "HEAD"].contains(second)
      #expect(received.body.isEmpty == !isSentAgain)
      #expect((received[header: "Content-Type"] != nil) == (isSentAgain || method.isSafe))
    }
  }

  @Test(
    "A request that is not idempotent is sent once, even if the connection that it reuses breaks",
    arguments: [.post, .patch] as [DataRequest.Method])
  func once(_ method: DataRequest.Method) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(10)))
      server.serve("/b", .failing(.closeBeforeHead))
      _ = try await loader.data(for: DataRequest(url: server.url("/a")))

      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: request(server.url("/b"), method))
      }

      if case .connectionLost(.firstByte, _) = error {} else { unexpected(error) }
      #expect(server.requests.map(\.path) == ["/a", "/b"])
      #expect(server.requests.map(\.connection) == [1, 1])
    }
  }

  @Test("Requests with different bodies have different keys")
  func keys() throws {
    let url = try #require(URL(string: "https://example.org/a"))
    let keys = [nil, Data(), Data([1]), Data([2])].map {
      ResourceKey(request(url, body: $0))
    }

    #expect(Set(keys).count == 4)
    #expect(
      ResourceKey(request(url)) == ResourceKey(request(url))
    )
  }

  @Test("A successful change invalidates the cached response, and a failed one does not")
  func forgetting() async throws {
    try await withLoopback { server, loader in
      let folder = try TemporaryFolder()
      let cache = HTTPCache(loader, store: DataCache(directory: folder.url.appending(path: "cache")))
      server.serve("/a") { request in
        if request.method == "PUT" { return Reply(status: request.query == "no" ? 500 : 204) }
        return .bytes(pattern(10)).with { $0.headers.append(("Cache-Control", "max-age=3600")) }
      }
      let url = server.url("/a")
      func status() async throws -> CacheStatus? {
        try await cache.data(for: DataRequest(url: url)).head.cacheStatus
      }

      #expect(try await [status(), status()] == [.miss, .hit])
      _ = await failure { () throws(DataLoadingError) in
        try await cache.data(for: request(server.url("/a?no"), .put))
      }
      #expect(try await status() == .hit)
      _ = try await cache.data(for: request(url, .put))
      #expect(try await status() == .miss)
    }
  }

  @Test("Files and data URLs refuse POST requests")
  func local() async throws {
    let file = URL(fileURLWithPath: "/etc/hostname")
    let inline = try #require(URL(string: "data:,a"))

    for url in [file, inline] {
      let error = await failure { () throws(DataLoadingError) in
        try await SchemeLoader().data(for: request(url))
      }
      #expect(error == .refused(reason: "POST is only for the network"))
    }
  }

  @Test("A redirect back to the same URL is a loop only with the same method")
  func ledBack() async throws {
    try await withLoopback { server, loader in
      server.serve("/form") { request in
        request.method == "POST" ? .redirect(to: "/form", status: 303) : .bytes(pattern(10))
      }
      server.serve("/circle", .redirect(to: "/circle", status: 303))

      let body = try await loader.data(for: request(server.url("/form"))).body
      let circle = await failure { () throws(DataLoadingError) in
        try await loader.data(for: request(server.url("/circle")))
      }

      #expect(body == pattern(10))
      #expect(circle == .redirectRefused(.loop))
      #expect(server.requests.map(\.method) == ["POST", "GET", "POST", "GET"])
    }
  }

  @Test("A request body is released once the request is complete")
  func released() async throws {
    let isReleased = Shared(false)
    func body() -> Data {
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_000, alignment: 1)
      bytes.initializeMemory(as: UInt8.self, repeating: 0)
      return Data(
        bytesNoCopy: bytes.baseAddress!, count: bytes.count,
        deallocator: .custom { pointer, _ in
          pointer.deallocate()
          isReleased.change { $0 = true }
        })
    }
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(10)))

      _ = try await loader.data(for: request(server.url("/a"), body: body()))
      // The turn in which the first one ended is over when the second is answered.
      _ = try await loader.data(for: DataRequest(url: server.url("/b")))

      #expect(isReleased.value)
    }
  }
}
