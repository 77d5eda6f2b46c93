import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct FaultTests {
  private func error(_ reply: Reply) async throws -> DataLoadingError? {
    var result: DataLoadingError?
    try await withLoopback { server, loader in
      server.serve("/a", reply)
      result = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: server.url("/a")))
      }
    }
    return result
  }

  @Test(
    "An interrupted body is truncated, whether or not its length was announced",
    arguments: [Reply.Fault.close(afterBodyBytes: 10_000), .reset(afterBodyBytes: 10_000)])
  func truncated(fault: Reply.Fault) async throws {
    let body = pattern(50_000)

    let announced = try await error(.failing(fault, body: body))
    let chunked = try await error(.failing(fault, body: body).with { $0.framing = .chunked(4000) })

    // A reset may overtake what was sent before it.
    guard case .truncated(let received, 50_000)? = announced else { return unexpected(announced) }
    guard case .truncated(let receivedOfChunked, nil)? = chunked else { return unexpected(chunked) }
    #expect(received <= 10_000 && receivedOfChunked <= 10_000)
    #expect(announced?.isTransient == true)
  }

  @Test("Bytes before an interruption are delivered before the error, which persists")
  func bytesBeforeError() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .failing(.close(afterBodyBytes: 10_000), body: pattern(50_000)))

      let body = try await loader.load(DataRequest(url: server.url("/a"))).body
      var received = Data()
      let next = { () async throws(DataLoadingError) in
        while let chunk = try await body.next() { received.append(chunk) }
      }
      let first = await failure(next)
      let second = await failure(next)

      #expect(received == pattern(10_000))
      #expect(first == .truncated(received: 10_000, expected: 50_000))
      #expect(second == first)
    }
  }

  @Test("A body shorter than announced is truncated, and a longer one is cut")
  func wrongLengths() async throws {
    let tooLong = try await error(.failing(.announce(length: "200"), body: pattern(100)))
    let tooShort = try await error(.failing(.announce(length: "50"), body: pattern(100)))

    #expect(tooLong == .truncated(received: 100, expected: 200))
    #expect(tooShort == nil)
  }

  @Test("Invalid or contradictory lengths are refused")
  func senselessLengths() async throws {
    let replies: [Reply] = [
      .failing(.announce(length: "-5")), .failing(.announce(length: "12x")),
      .failing(.announce(length: "99999999999999999999999")),
      Reply(body: pattern(20)).with { $0.headers = [("Content-Length", "10")] },
    ]

    for reply in replies {
      let error = try await error(reply)
      guard case .protocolViolation? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test(
    "A connection that closes before or within the head is lost",
    arguments: [Reply.Fault.closeBeforeHead, .closeInHead])
  func lost(fault: Reply.Fault) async throws {
    let error = try await error(.failing(fault))

    guard case .connectionLost(.firstByte, _)? = error else { return unexpected(error) }
    #expect(error?.isTransient == true)
  }

  @Test(
    "A response that is not HTTP is refused",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "<html>no head at all</html>", "HTTP/1.1 2000 Fine\r\n\r\n",
      "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
      "HTTP/1.1 200 OK\r\n folded: first\r\n\r\n",
    ])
  func notHTTP(head: String) async throws {
    let error = try await error(.failing(.rawHead(head), body: Data("x".utf8)))

    guard case .protocolViolation? = error else { return unexpected(error) }
    #expect(error?.isTransient == false)
  }

  @Test(
    "A response that fails is requested once",
    arguments: [
      (.closeBeforeHead, .get), (.closeBeforeHead, .post), (.closeInHead, .get),
      (.rawHead("SSH-2.0-OpenSSH_9.2\r\n"), .get), (.rawHead("HTTP/1.1 2000 Fine\r\n\r\n"), .get),
      (.close(afterBodyBytes: 10), .get), (.close(afterBodyBytes: 10_000), .get),
      (.reset(afterBodyBytes: 10_000), .get),
    ] as [(Reply.Fault, DataRequest.Method)])
  func once(_ fault: Reply.Fault, _ method: DataRequest.Method) async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .failing(fault))
      var request = DataRequest(url: server.url("/a"))
      request.method = method

      let error = await failure { () throws(DataLoadingError) in try await loader.data(for: request) }

      #expect(error != nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test("A handshake that breaks off is tried four times")
  func handshakes() async throws {
    try await withLoopback { server, loader in
      let url = URL(string: "https://127.0.0.1:\(server.port)/")!

      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: url))
      }

      guard case .connectionLost(.connect, _)? = error else { return unexpected(error) }
      #expect(server.connectionCount == 4)
    }
  }

  @Test("Certificate authorities that cannot be read are an error of their own")
  func authorities() async throws {
    try await withLoopback({ $0.certificateAuthorities = "/nowhere/authorities.pem" }) { server, loader in
      let url = URL(string: "https://127.0.0.1:\(server.port)/")!

      let error = await failure { () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: url))
      }

      guard case .unavailable(let reason)? = error else { return unexpected(error) }
      #expect(reason.hasPrefix("no certificate authorities"))
    }
  }

  @Test("A refused connection, an unknown host and a failed handshake are distinct errors")
  func unreachable() async throws {
    let port = try RefusingPort()
    let noName = String(repeating: "a", count: 64) + ".invalid"
    try await withLoopback { server, loader in
      let load = { (url: URL) async -> DataLoadingError? in
        await failure { () throws(DataLoadingError) in try await loader.load(DataRequest(url: url)) }
      }

      let refused = await load(port.url("/"))
      // A name that cannot be one is not even looked up, so the network does not matter.
      let unknown = await load(URL(string: "http://\(noName)/")!)
      let notTLS = await load(URL(string: "https://127.0.0.1:\(server.port)/")!)

      guard case .cannotConnect("127.0.0.1", _)? = refused else { return unexpected(refused) }
      #expect(unknown == .cannotResolve(host: noName))
      guard case .connectionLost(.connect, _)? = notTLS else { return unexpected(notTLS) }
      #expect([refused, unknown, notTLS].map { $0?.isTransient } == [true, true, true])
    }
  }
}
