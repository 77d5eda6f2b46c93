import Foundation
import LoopbackServer
import StreamImages
import Testing

/// Bytes on a kept connection that belong to no request. RFC 9112 section 9.2 forbids to take them for a response.
@Suite("Unrequested bytes", .timeLimit(.minutes(5))) struct UnrequestedBytesTests {
  struct Server: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var method = DataRequest.Method.get
    var reply = Reply.bytes(Data("first".utf8))

    static let all: [Server] = [
      Server(testDescription: "a length"),
      Server(testDescription: "chunks", reply: .bytes(Data("first".utf8)).with { $0.framing = .chunked(2) }),
      Server(testDescription: "no body", reply: .bytes(Data())),
      Server(testDescription: "204", reply: Reply(status: 204)),
      Server(testDescription: "304", reply: Reply(status: 304)),
      Server(testDescription: "HEAD", method: .head),
    ]
  }

  static let bytes = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong",
    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\n", "x",
  ]

  private func request(
    _ url: URL, _ method: DataRequest.Method = .get, buffers: Bool = true
  ) -> DataRequest {
    var request = DataRequest(url: url, method: method)
    request.acceptedStatuses = [200, 204, 304]
    request.buffersBody = buffers
    return request
  }

  private func text(_ request: DataRequest, _ loader: CurlLoader) async throws -> String {
    String(decoding: try await loader.load(request).collect(), as: UTF8.self)
  }

  @Test(
    "A connection on which something arrives after a response is not used again", arguments: Server.all, bytes
  )
  func late(_ first: Server, _ bytes: String) async throws {
    for (method, buffers) in [(.get, true), (.get, false), (.post, true)] as [(DataRequest.Method, Bool)] {
      try await withLoopback { server, loader in
        let gate = try Gate()
        server.serve("/first", first.reply.with { $0.fault = .followed(by: bytes, gate) })
        server.serve("/second", .bytes(Data("second".utf8)))

        _ = try await text(request(server.url("/first"), first.method, buffers: buffers), loader)
        gate.open()
        await until { (try? Descriptors.unreadBytes(from: server.port)) ?? 0 > 0 }
        let second = try await text(request(server.url("/second"), method, buffers: buffers), loader)

        #expect(second == "second")
        #expect(server.requests.map(\.connection) == [1, 2])
        let third = try await text(request(server.url("/second"), buffers: buffers), loader)
        #expect(third == "second" && server.requests.last?.connection == 2)
      }
    }
  }

  @Test(
    "What arrives together with a response is no response to the next request", arguments: Server.all, bytes)
  func together(_ first: Server, _ bytes: String) async throws {
    try await withLoopback { server, loader in
      server.serve("/first", first.reply.with { $0.fault = .followed(by: bytes) })
      server.serve("/second", .bytes(Data("second".utf8)))

      _ = try await text(request(server.url("/first"), first.method), loader)

      for _ in 0..<3 { #expect(try await text(request(server.url("/second")), loader) == "second") }
    }
  }

  @Test("A load tries as many kept connections as there are")
  func several() async throws {
    try await withLoopback { server, loader in
      let gates = (try Gate(), try Gate())
      server.serve("/first", .bytes(Data("first".utf8)).with { $0.fault = .followed(by: "x", gates.1) })
      server.serve(
        "/held", .bytes(Data()).with { ($0.gate, $0.fault) = (gates.0, .followed(by: "x", gates.1)) })
      server.serve("/second", .bytes(Data("second".utf8)))
      let loads = (0..<6).map { _ in Task { try await loader.data(for: request(server.url("/held"))) } }
      await until { server.requests.count == 6 }
      gates.0.open()
      for load in loads { _ = try await load.value }
      gates.1.open()
      await until { (try? Descriptors.unreadBytes(from: server.port)) == 6 }

      #expect(try await text(request(server.url("/second")), loader) == "second")
      #expect(server.requests.last?.connection == 7)
    }
  }
}

@Suite(
  "Nginx: unrequested bytes", .enabled(if: Nginx.environment["NGINX_TLS"] != nil), .timeLimit(.minutes(5)))
struct NginxUnrequestedBytesTests {
  private let base = Nginx.environment["NGINX_TLS"] ?? ""

  private func load(_ path: String, _ method: DataRequest.Method, _ loader: CurlLoader) async throws -> String
  {
    var request = DataRequest(url: try #require(URL(string: base + path)), method: method)
    request.acceptedStatuses = [200, 204, 304]
    return String(decoding: try await loader.data(for: request).body, as: UTF8.self)
  }

  @Test("Over TLS, a connection with something unread is not used again, wherever it waits")
  func secure() async throws {
    let secure = UInt16(try #require(URL(string: base)?.port))
    let port = try #require(UInt16(Nginx.environment["NGINX_TLS_PORT"] ?? ""))
    let server = try LoopbackServer(at: port)
    defer { server.stop() }
    server.serve("/second", .bytes(Data("second".utf8)))
    for (bytes, isLate) in UnrequestedBytesTests.bytes.flatMap({ [($0, false), ($0, true)] }) {
      for kind in UnrequestedBytesTests.Server.all {
        let gate = try Gate()
        server.serve("/first", kind.reply.with { $0.fault = .followed(by: bytes, isLate ? gate : nil) })
        let loader = Way.http2.loader()
        try await RealTime.run {
          _ = try await load("/first", kind.method, loader)
          gate.open()
          if isLate { await until { (try? Descriptors.unreadBytes(from: secure)) ?? 0 > 0 } }

          for method in [.get, .post, .get] as [DataRequest.Method] {
            #expect(try await load("/second", method, loader) == "second", "\(kind) \(bytes) \(isLate)")
          }
        }
        loader.invalidate()
      }
    }
  }
}
