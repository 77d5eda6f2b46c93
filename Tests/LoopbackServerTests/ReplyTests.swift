import Foundation
import LoopbackServer
import Testing

@Suite struct ReplyTests {
  @Test("A body is framed by its length, in chunks, or by the end of the connection")
  func framings() async throws {
    try await withServer { server in
      let reply = Reply.bytes(Data("hello".utf8), type: "text/plain")
      server.serve("/length", reply)
      server.serve("/chunks", reply.with { $0.framing = .chunked(2) })
      server.serve("/close", reply.with { $0.framing = .untilClose })

      let length = try RawClient.ask(server, "/length")
      let chunks = try RawClient.ask(server, "/chunks")
      let close = try RawClient.ask(server, "/close")

      #expect(length.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n"))
      #expect(length.hasSuffix("\r\n\r\nhello"))
      #expect(chunks.hasSuffix("\r\n\r\n2\r\nhe\r\n2\r\nll\r\n1\r\no\r\n0\r\n\r\n"))
      #expect(close.hasSuffix("\r\n\r\nhello") && !close.contains("Content-Length"))
    }
  }

  @Test("A connection serves one request after another, and a HEAD response has no body")
  func keepAlive() async throws {
    try await withServer { server in
      server.serve("/a", .bytes(Data("first".utf8)))
      server.serve("/b", .bytes(Data("second".utf8)))
      let client = try RawClient(server)

      client.get("/a")
      let first = client.hear(until: "first")
      client.get("/b?x=1", method: "HEAD")
      let second = client.hear(until: "\r\n\r\n")
      client.get("/b", ["Connection: close"])
      let third = client.hear()

      #expect(first.hasSuffix("first"))
      #expect(second.contains("Content-Length: 6") && !second.contains("second"))
      #expect(third.hasSuffix("second"))
      #expect(server.requests.map(\.connection) == [1, 1, 1])
      #expect(server.requests.map(\.query) == [nil, "x=1", nil])
      #expect(server.requests.map(\.number) == [1, 2, 3])
    }
  }

  @Test("A request with a length that is not one ends its connection", arguments: ["-5", "x", ""])
  func lengths(_ length: String) async throws {
    try await withServer { server in
      server.serve("/a", .bytes(Data("a".utf8)))

      let refused = try RawClient.ask(server, "/a", ["Content-Length: \(length)"])
      let answered = try RawClient.ask(server, "/a", ["Content-Length: 0"])

      #expect(refused == "" && answered.hasSuffix("\r\n\r\na"))
      #expect(server.requests.count == 1)
    }
  }

  @Test("An unknown path returns 404, and replies can be served in turn")
  func routing() async throws {
    try await withServer { server in
      server.serve("/turns", inTurn: [.status(503), .bytes(Data("ok".utf8))])

      let answers = try ["/none", "/turns", "/turns", "/turns"].map { try RawClient.ask(server, $0) }

      #expect(answers.map { $0.split(separator: " ")[1] } == ["404", "503", "200", "200"])
    }
  }

  @Test(
    "The server answers Range headers with 206, 416, or the whole body",
    arguments: [
      ("bytes=2-4", "206", "bytes 2-4/10", "234"), ("bytes=7-", "206", "bytes 7-9/10", "789"),
      ("bytes=-2", "206", "bytes 8-9/10", "89"), ("bytes=5-99", "206", "bytes 5-9/10", "56789"),
      ("bytes=10-", "416", "bytes */10", ""), ("bytes=1-2,4-5", "200", nil, "0123456789"),
    ])
  func ranges(asked: String, status: String, range: String?, body: String) async throws {
    try await withServer { server in
      server.serve("/a", .bytes(Data("0123456789".utf8)).with { $0.acceptsRanges = true })

      let answer = try RawClient.ask(server, "/a", ["Range: \(asked)"])

      #expect(answer.split(separator: " ")[1] == status)
      #expect(range.map { answer.contains("Content-Range: \($0)\r\n") } ?? !answer.contains("Content-Range"))
      #expect(answer.hasSuffix("\r\n\r\n\(body)"))
    }
  }

  @Test(
    "The server evaluates conditional headers against its validators",
    arguments: [
      (["If-None-Match: \"1\""], "304"), (["If-None-Match: \"0\", W/\"1\""], "304"),
      (["If-None-Match: *"], "304"),
      (["If-None-Match: \"2\""], "200"), (["If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], "304"),
      (["If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], "200"),
      (["If-None-Match: \"2\"", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], "200"),
      (["Range: bytes=1-", "If-Range: \"1\""], "206"), (["Range: bytes=1-", "If-Range: \"2\""], "200"),
      (["Range: bytes=1-", "If-Range: W/\"1\""], "200"),
      (["Range: bytes=1-", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], "206"),
    ])
  func validators(headers: [String], status: String) async throws {
    try await withServer { server in
      let reply = Reply.bytes(Data("0123456789".utf8)).with {
        $0.entityTag = "\"1\""
        $0.lastModified = Date(timeIntervalSince1970: 784_111_777)
        $0.acceptsRanges = true
      }
      server.serve("/a", reply)

      let answer = try RawClient.ask(server, "/a", headers)

      #expect(answer.split(separator: " ")[1] == status)
      #expect(answer.contains("ETag: \"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n") == (status == "304"))
    }
  }
}
