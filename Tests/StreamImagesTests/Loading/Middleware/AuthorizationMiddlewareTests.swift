import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`AuthorizationMiddleware`", .inRealTime, .timeLimit(.minutes(20)))
struct AuthorizationMiddlewareTests {
  private struct Refused: Error {}

  private static func origin(_ server: LoopbackServer) -> String { "http://127.0.0.1:\(server.port)" }

  /// Serves those who have the token, and nobody else.
  private func serve(_ server: LoopbackServer, to token: Shared<String>) {
    server.serve("*") { request in
      request[header: "Authorization"] == "Bearer \(token.value)" ? .bytes(pattern(10)) : .status(401)
    }
  }

  /// Its tokens are numbers, and `asked` is the last of them.
  private static func numbering(
    _ network: any DataLoading, _ server: LoopbackServer, _ asked: Shared<Int>
  ) -> any DataLoading {
    network.with(
      AuthorizationMiddleware(origins: [origin(server)]) { _ in
        asked.change { $0 += 1 }
        return "\(asked.value)"
      })
  }

  private static func loadPhoto(with loader: any DataLoading) async -> DataLoadingError? {
    await failure { () throws(DataLoadingError) in
      try await loader.load(DataRequest(url: URL(string: "https://photos.example/a")!))
    }
  }

  @Test("Concurrent rejected requests share one new token and are each sent again once")
  func concurrent() async throws {
    try await withLoopback { server, network async throws in
      let valid = Shared("1")
      serve(server, to: valid)
      let asked = Shared<[String?]>([])
      let loader = network.with(
        AuthorizationMiddleware(origins: [Self.origin(server)]) { rejected in
          asked.change { $0.append(rejected) }
          return valid.value
        })
      _ = try await loader.data(for: DataRequest(url: server.url("/first")))
      valid.change { $0 = "2" }

      try await withThrowingTaskGroup { group in
        for number in 0..<20 {
          let request = DataRequest(url: server.url("/\(number)"))
          group.addTask { _ = try await loader.data(for: request) }
        }
        try await group.waitForAll()
      }

      #expect(asked.value == [nil, "1"])
      #expect(server.requests.count <= 1 + 2 * 20)
    }
  }

  @Test("A request whose new token is rejected fails without another attempt")
  func refusedTwice() async throws {
    try await withLoopback { server, network async throws in
      server.serve("/a", .status(401))
      let asked = Shared(0)
      let loader = Self.numbering(network, server, asked)

      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: server.url("/a")))
      }

      if case .status(401, _) = error {} else { unexpected(error) }
      #expect(asked.value == 2)
      #expect(server.requests.count == 2)
    }
  }

  @Test("The token is not sent to other origins, not even after a redirect")
  func others() async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    other.serve("/b", .bytes(pattern(10)))
    try await withLoopback { server, network async throws in
      server.serve("/a", .redirect(to: other.url("/b").absoluteString))
      let loader = network.with(AuthorizationMiddleware(origins: [Self.origin(server)]) { _ in "secret" })
      let elsewhere = network.with(AuthorizationMiddleware(origins: ["photos.example"]) { _ in "secret" })

      _ = try await loader.data(for: DataRequest(url: server.url("/a")))
      _ = try await elsewhere.data(for: DataRequest(url: other.url("/b")))

      #expect(server.requests.first?[header: "Authorization"] == "Bearer secret")
      #expect(other.requests.map { $0[header: "Authorization"] } == [nil, nil])
    }
  }

  @Test(
    "A 401 response of another origin requests no new token, and nothing is sent again",
    arguments: [false, true])
  func rejectedElsewhere(isCached: Bool) async throws {
    let other = try LoopbackServer()
    defer { other.stop() }
    other.serve("*", .status(401))
    for method in [DataRequest.Method.get, .post] {
      try await withLoopback { server, network async throws in
        let network: any DataLoading =
          isCached
          ? HTTPCache(network, store: RecordingDataCache(), policy: .respectingHTTP) : network
        server.serve("/a", .redirect(to: other.url("/b").absoluteString, status: 303))
        let asked = Shared(0)
        let loader = Self.numbering(network, server, asked)

        let error = await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url("/a"), method: method))
        }

        if case .status(401, _) = error {} else { unexpected(error) }
        #expect(asked.value == 1)
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test("A 401 response behind a redirect at the same origin sends a GET again, and no POST")
  func rejectedBehindRedirect() async throws {
    for (method, path, paths) in [
      (.get, "/a", ["/a", "/b", "/a", "/b"]), (.post, "/a", ["/a", "/b"]), (.post, "/b", ["/b", "/b"]),
    ] as [(DataRequest.Method, String, [String])] {
      try await withLoopback { server, network async throws in
        server.serve("/a", .redirect(to: "/b", status: 303))
        server.serve("/b", .status(401))
        let asked = Shared(0)
        let loader = Self.numbering(network, server, asked)

        _ = await failure { () throws(DataLoadingError) in
          try await loader.data(for: DataRequest(url: server.url(path), method: method))
        }

        #expect(server.requests.map(\.path) == paths)
      }
    }
  }

  @Test("A request fails unsent if there is no token, and the next one asks again")
  func noToken() async throws {
    try await withLoopback { server, network async throws in
      serve(server, to: Shared("1"))
      let isThere = Shared(false)
      let loader = network.with(
        AuthorizationMiddleware(origins: [Self.origin(server)]) { _ in
          guard isThere.value else { throw Refused() }
          return "1"
        })
      let request = DataRequest(url: server.url("/a"))

      let error = await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
      isThere.change { $0 = true }

      #expect(error == .refused(reason: "no token"))
      #expect(server.requests.isEmpty)
      #expect(try await loader.data(for: request).body == pattern(10))
    }
  }

  @Test("Cancelling one request that waits for a token does not affect others")
  func givingUp() async throws {
    try await withLoopback { server, network async throws in
      serve(server, to: Shared("1"))
      let (asked, latch) = (Latch(), Latch())
      let loader = network.with(
        AuthorizationMiddleware(origins: [Self.origin(server)]) { _ in
          asked.open()
          await latch.wait()
          return "1"
        })
      let request = DataRequest(url: server.url("/a"))
      let leaving = Task {
        await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
      }
      let staying = Task {
        await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
      }
      await asked.wait()

      leaving.cancel()
      #expect(await leaving.value == .cancelled)
      latch.open()

      #expect(await staying.value == nil)
    }
  }

  @Test("Requests that arrive while a token is being fetched share it")
  func meanwhile() async {
    let (asked, sent) = (Shared(0), Shared<DataRequest?>(nil))
    let (arrived, mayGoOn) = (Latch(), Latch())
    let loader = Listener(sent: sent).with(
      AuthorizationMiddleware(origins: ["photos.example"]) { _ in
        asked.change { $0 += 1 }
        arrived.open()
        await mayGoOn.wait()
        return "secret"
      })
    let first = Task { await Self.loadPhoto(with: loader) }
    await arrived.wait()

    let others = (0..<4).map { _ in Task { await Self.loadPhoto(with: loader) } }
    // Time for them to ask as well.
    for _ in 0..<1_000 where asked.value == 1 { await Task.yield() }
    mayGoOn.open()

    for task in [first] + others { #expect(await task.value == .cannotResolve(host: "")) }
    #expect(asked.value == 1)
  }

  @Test("A request that arrives while a rejected token is replaced waits for the new one")
  func replacing() async throws {
    let sent = Shared([String]())
    let (arrived, mayGoOn) = (Latch(), Latch())
    let loader = FirstTokenRefused(sent: sent).with(
      AuthorizationMiddleware(origins: ["photos.example"]) { rejected in
        guard rejected == "1" else { return "1" }
        arrived.open()
        await mayGoOn.wait()
        return "2"
      })
    let first = Task { await Self.loadPhoto(with: loader) }
    await arrived.wait()

    let second = Task { await Self.loadPhoto(with: loader) }
    // Time for it to send the token that is rejected.
    for _ in 0..<1_000 where sent.value.count == 1 { await Task.yield() }
    mayGoOn.open()

    for task in [first, second] { #expect(await task.value == .cannotResolve(host: "")) }
    #expect(sent.value == ["Bearer 1", "Bearer 2", "Bearer 2"])
  }

  @Test("A request cancelled in advance fetches no token")
  func cancelledBefore() async {
    let (asked, sent) = (Shared(0), Shared<DataRequest?>(nil))
    let loader = Listener(sent: sent).with(
      AuthorizationMiddleware(origins: ["photos.example"]) { _ in
        asked.change { $0 += 1 }
        return "secret"
      })

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await Self.loadPhoto(with: loader)
    }

    #expect(await task.value == .cancelled)
    #expect(asked.value == 0)
    #expect(sent.value == nil)
  }

  @Test("The token is sent only to its exact origin, over https by default")
  func origins() async {
    func isTrusted(_ url: String, _ origin: String) async -> Bool {
      let sent = Shared<DataRequest?>(nil)
      let loader = Listener(sent: sent).with(AuthorizationMiddleware(origins: [origin]) { _ in "secret" })
      _ = await failure { () throws(DataLoadingError) in
        try await loader.load(DataRequest(url: URL(string: url)!))
      }
      return sent.value?.headers["Authorization"] != nil
    }

    #expect(await isTrusted("https://photos.example/a", "photos.example"))
    #expect(await isTrusted("https://Photos.Example:443/a", "Photos.example"))
    #expect(await isTrusted("https://photos.example:8443/a", "photos.example:8443"))
    #expect(await isTrusted("https://photos.example/a", "https://photos.example"))
    #expect(await isTrusted("http://photos.example/a", "http://photos.example"))
    #expect(await isTrusted("http://[::1]:8080/a", "http://[::1]:8080"))
    #expect(await !isTrusted("http://photos.example/a", "photos.example"))
    #expect(await !isTrusted("http://photos.example:443/a", "photos.example"))
    #expect(await !isTrusted("https://photos.example:8443/a", "photos.example"))
    #expect(await !isTrusted("https://photos.example/a", "http://photos.example"))
    #expect(await !isTrusted("https://photos.example.evil/a", "photos.example"))
    #expect(await !isTrusted("https://photos.example/a", "photos.example:port"))
  }

  /// Answers nothing, and remembers what it was to send.
  private struct Listener: DataLoading {
    let sent: Shared<DataRequest?>

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      sent.change { $0 = request }
      throw .cannotResolve(host: "")
    }
  }

  /// A server that rejects the first token.
  private struct FirstTokenRefused: DataLoading {
    let sent: Shared<[String]>

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      let field = request.headers["Authorization"] ?? ""
      sent.change { $0.append(field) }
      throw field == "Bearer 1"
        ? .status(401, head: LoadedHead(status: 401, url: request.url)) : .cannotResolve(host: "")
    }
  }
}
