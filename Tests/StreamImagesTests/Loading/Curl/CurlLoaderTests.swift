import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite(.inRealTime) struct CurlLoaderTests {
  @Test(
    "A head and a body are delivered with every framing of the body",
    arguments: [Reply.Framing.contentLength, .chunked(7_000), .untilClose])
  func framings(framing: Reply.Framing) async throws {
    try await withLoopback { server, loader in
      let photo = pattern(300_000)
      server.serve("/a.jpg", .bytes(photo, type: "image/JPEG; q=1").with { $0.framing = framing })

      let (head, body) = try await loader.data(for: DataRequest(url: server.url("/a.jpg")))

      #expect(body == photo)
      #expect(head.status == 200)
      #expect(head.contentType == "image/jpeg")
      #expect(head.url == server.url("/a.jpg"))
      if case .contentLength = framing { #expect(head.expectedByteCount == 300_000) }
      if case .chunked = framing { #expect(head.expectedByteCount == nil) }
      #expect(!head.isContentCoded)
    }
  }

  @Test(
    "Warming up asks for the head of the root, without user or query, follows nothing and accepts everything")
  func warmUp() async throws {
    try await withLoopback { server, loader in
      for status in [200, 302, 404, 503, 599] {
        server.serve(
          "/", Reply(status: status, body: Data()).with { $0.headers = [("Location", "/elsewhere")] })
        let address = server.url("/a/b?c=d#e").absoluteString.replacing("http://", with: "http://u:p@")
        try await loader.warmUp(try #require(URL(string: address)))
        try await loader.warmUp(try #require(URL(string: "f?g", relativeTo: server.url("/a/"))))
      }

      #expect(server.requests.count == 10)
      #expect(server.requests.allSatisfy { $0.method == "HEAD" && $0.target == "/" })
      #expect(server.requests.allSatisfy { $0[header: "Authorization"] == nil })
      #expect(server.connectionCount == 1)
    }
  }

  @Test("An empty body ends at once and stays ended")
  func emptyBody() async throws {
    try await withLoopback { server, loader in
      server.serve("/empty", .bytes(Data()))

      let loaded = try await loader.load(DataRequest(url: server.url("/empty")))

      #expect(try await loaded.body.next() == nil)
      #expect(try await loaded.body.next() == nil)
    }
  }

  @Test("Loading a body at once and in pieces fails with the same error", arguments: ["/broken", "/long"])
  func atOnce(path: String) async throws {
    try await withLoopback { server, loader in
      server.serve("/broken", .failing(.close(afterBodyBytes: 10)))
      server.serve("/long", .bytes(pattern(10_000)).with { $0.framing = .chunked(1000) })
      let request = DataRequest(url: server.url(path))
      var limits = LoadLimits()
      limits.maximumByteCount = 5000

      let whole = await failure { () throws(DataLoadingError) in
        try await loader.data(for: request, limits: limits)
      }
      let pulled = await failure { () throws(DataLoadingError) in
        try await loader.load(request, limits: limits).collect()
      }

      #expect(whole != nil && whole == pulled)
    }
  }

  @Test("A HEAD request returns only the head")
  func headOnly() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(1000), type: "image/png"))

      let (head, body) = try await loader.data(for: DataRequest(url: server.url("/a"), method: .head))

      #expect(head.headers["content-length"] == "1000")
      #expect(head.expectedByteCount == 0)
      #expect(body.isEmpty)
      #expect(server.requests.map(\.method) == ["HEAD"])
    }
  }

  @Test("A request sends its own headers and requests no compression")
  func requestHeaders() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(Data()))
      var request = DataRequest(url: server.url("/a?width=100#top"))
      request.headers = ["Accept": "image/webp", "X-Empty": ""]
      request.headers.append("X-Twice", "one")
      request.headers.append("x-twice", "zwei ü")

      _ = try await loader.data(for: request)

      let received = try #require(server.requests.first)
      #expect(received.target == "/a?width=100")
      #expect(received[header: "Accept"] == "image/webp")
      #expect(received[header: "X-Empty"] == "")
      #expect(
        received.headers.filter { $0.name.lowercased() == "x-twice" }.map(\.value) == ["one", "zwei ü"])
      #expect(received[header: "Accept-Encoding"] == "identity")
      #expect(received[header: "User-Agent"] == "StreamImages")
    }
  }

  @Test("A request header replaces the default for that request only")
  func ownHeaders() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(Data()))
      let plain = DataRequest(url: server.url("/a"))
      let named = DataRequest(url: server.url("/a"), headers: ["user-agent": "Gallery/2"])
      let coded = DataRequest(url: server.url("/a"), headers: ["ACCEPT-ENCODING": "br"])
      let head = DataRequest(url: server.url("/a"), method: .head)

      for request in [plain, named, coded, head, plain] { _ = try await loader.data(for: request) }

      let sent = server.requests.map { request in
        ["user-agent", "accept-encoding"].map { name in
          request.headers.filter { $0.name.lowercased() == name }.map(\.value).joined(separator: ", ")
        }
      }
      let ours = ["StreamImages", "identity"]
      #expect(sent == [ours, ["Gallery/2", "identity"], ["StreamImages", "br"], ours, ours])
    }
  }

  @Test("A line end in the user agent begins no other header", arguments: [nil, "image/*"])
  func nameOfSeveralLines(accept: String?) async throws {
    try await withLoopback {
      $0.userAgent = "Gallery\r\nX-A: b\n"
    } _: { server, loader in
      server.serve("/a", .bytes(Data()))
      var request = DataRequest(url: server.url("/a"))
      request.headers["Accept"] = accept

      _ = try await loader.data(for: request)

      let received = try #require(server.requests.first)
      #expect(received[header: "User-Agent"] == "Gallery  X-A: b" && received[header: "X-A"] == nil)
    }
  }

  @Test("An empty user agent sends no User-Agent header")
  func noName() async throws {
    try await withLoopback {
      $0.userAgent = ""
    } _: { server, loader in
      server.serve("/a", .bytes(Data()))

      _ = try await loader.data(for: DataRequest(url: server.url("/a")))

      let received = try #require(server.requests.first)
      #expect(received[header: "User-Agent"] == nil && received[header: "Accept-Encoding"] == "identity")
    }
  }

  @Test(
    "Headers that would change the message are refused",
    arguments: [
      ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X A", "a"), ("", "a"), ("X:A", "a"),
      ("Content-Length", "5"), ("transfer-encoding", "chunked"), ("Host", "elsewhere"),
    ])
  func refusedHeaders(name: String, value: String) async throws {
    try await withLoopback { server, loader in
      var request = DataRequest(url: server.url("/a"))
      request.headers.append(name, value)

      let error = await failure { () throws(DataLoadingError) in try await loader.load(request) }

      #expect(error == .invalidHeader(name: name))
      #expect(server.requests.isEmpty)
    }
  }

  @Test("Response headers keep their order and repetitions")
  func responseHeaders() async throws {
    try await withLoopback { server, loader in
      server.serve(
        "/a",
        Reply(body: Data()).with {
          $0.headers = [
            ("B", "1"), ("a", " two  "), ("b", "3"), ("Folded", "x\r\n y"), ("Latin", "caf\u{e9}"),
          ]
        })

      let head = try await loader.load(DataRequest(url: server.url("/a"))).head

      #expect(head.headers.prefix(3).map(\.name) == ["B", "a", "b"])
      #expect(head.headers.combined("b") == "1, 3")
      #expect(head.headers["A"] == "two")
      #expect(head.headers["Folded"] == "x y")
      #expect(head.headers["Latin"] == "café")
    }
  }

  @Test("Sequential loads share one connection")
  func keepAlive() async throws {
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(10_000)))

      for number in 1...20 { _ = try await loader.data(for: DataRequest(url: server.url("/\(number)"))) }

      #expect(server.connectionCount == 1)
      #expect(server.requests.count == 20)
    }
  }

  @Test("200 concurrent loads all succeed over at most six connections")
  func manyAtOnce() async throws {
    try await withLoopback { server, loader in
      server.serve("*") { .bytes(pattern(20_000, seed: Int($0.path.dropFirst()) ?? 0)) }

      let right = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          let request = DataRequest(url: server.url("/\(number)"))
          group.addTask { try await loader.data(for: request).body == pattern(20_000, seed: number) }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }

      #expect(right == 200)
      #expect(server.connectionCount <= 6)
    }
  }

  @Test("An HTML page in place of an image is delivered with its content type")
  func htmlPage() async throws {
    try await withLoopback { server, loader in
      server.serve("/photo.jpg", .html("<html>Please log in"))

      let head = try await loader.load(DataRequest(url: server.url("/photo.jpg"))).head

      #expect(head.contentType == "text/html")
    }
  }

  @Test("Requests are sent through a configured proxy")
  func proxy() async throws {
    let proxy = try LoopbackServer()
    defer { proxy.stop() }
    proxy.serve("/a", .bytes(pattern(10)))
    try await withLoopback {
      $0.proxy = .url("http://127.0.0.1:\(proxy.port)")
    } _: { _, loader in

      let body = try await loader.data(for: DataRequest(url: URL(string: "http://photos.invalid/a")!)).body

      #expect(body == pattern(10))
      #expect(proxy.requests.first?.target == "http://photos.invalid/a")
    }
  }

  @Test("A configured proxy is used for hosts that the environment excludes from its own")
  func proxyForAll() async {
    // In a process of its own, as the environment is shared.
    await #expect(processExitsWith: .success) {
      setenv("no_proxy", "*", 1)
      let proxy = try LoopbackServer()
      proxy.serve("/a", .bytes(Data([1])))
      var configuration = CurlLoader.Configuration()
      configuration.proxy = .url(proxy.url("").absoluteString)

      let request = DataRequest(url: URL(string: "http://photos.invalid/a")!)
      _ = try? await CurlLoader(configuration).data(for: request)

      precondition(proxy.connectionCount == 1)
      // At once: what its jobs still hold, on their way out, would be taken for a leak.
      _exit(EXIT_SUCCESS)
    }
  }

  @Test(
    "URLs that are not HTTP are refused", arguments: ["ftp://h/a", "file:///etc/passwd", "data:,x", "a/b"])
  func schemes(text: String) async throws {
    let loader = CurlLoader()
    let url = try #require(URL(string: text))

    let error = await failure { () throws(DataLoadingError) in try await loader.load(DataRequest(url: url)) }

    #expect(error == .unsupportedScheme(url.scheme ?? ""))
  }

  @Test("Plain HTTP can be forbidden")
  func httpsOnly() async throws {
    try await withLoopback { server, loader in
      var limits = LoadLimits()
      limits.allowedSchemes = ["https"]
      let request = DataRequest(url: server.url("/a"))

      let error = await failure { () throws(DataLoadingError) in
        try await loader.load(request, limits: limits)
      }

      #expect(error == .unsupportedScheme("http"))
      #expect(server.connectionCount == 0)
    }
  }
}
