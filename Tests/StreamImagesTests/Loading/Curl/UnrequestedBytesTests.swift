import Foundation
import LoopbackServer
import StreamImages
import Testing

/// Bytes on a kept connection that belong to no request. RFC 9112 section 9.2 forbids to take them for a response.
@Suite("Unrequested bytes", .timeLimit(.minutes(5))) struct UnrequestedBytesTests {
  struct Response: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var method = DataRequest.Method.get
    let text: String

    static let all: [Response] = [
      Response(testDescription: "a length", text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"),
      Response(
        testDescription: "chunks",
        text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"),
      Response(testDescription: "no body", text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
      Response(testDescription: "204", text: "HTTP/1.1 204 No Content\r\n\r\n"),
      Response(testDescription: "304", text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
      Response(testDescription: "HEAD", method: .head, text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
    ]
  }

  static let bytes = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong",
    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n", "x",
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
    "A connection on which something arrives after a response is not used again", arguments: Response.all,
    bytes)
  func late(_ first: Response, _ bytes: String) async throws {
    for (method, buffers) in [(.get, true), (.get, false), (.post, true)] as [(DataRequest.Method, Bool)] {
      try await withLoopback { server, loader in
        let gate = try Gate()
        server.serve("/first", .exact(first.text, then: .sends(bytes, gate)))
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
    "Bytes that arrive together with a response are no response to the next request", arguments: Response.all,
    bytes
  )
  func together(_ first: Response, _ bytes: String) async throws {
    try await withLoopback { server, loader in
      server.serve("/first", .exact(first.text + bytes))
      server.serve("/second", .bytes(Data("second".utf8)))

      _ = try await text(request(server.url("/first"), first.method), loader)

      for _ in 0..<3 { #expect(try await text(request(server.url("/second")), loader) == "second") }
    }
  }

  @Test("A load tries as many kept connections as there are")
  func several() async throws {
    try await withLoopback { server, loader in
      let gates = (try Gate(), try Gate())
      let first = Response.all[0].text
      server.serve("/held", .exact(first, then: .sends("x", gates.1)).with { $0.gate = gates.0 })
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
