import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Resumed parts", .timeLimit(.minutes(1)))
struct ResumedPartTests {
  // Not stored: the leak sanitizer does not see through a global `Data` of this size.
  private static var old: Data { pattern(50_000) }
  private static var new: Data { pattern(50_000, seed: 7) }

  /// Half of a body, with fields that name its version.
  private static func beginning(_ fields: [(name: String, value: String)]) -> Reply {
    Reply(body: old).with {
      $0.headers = fields
      $0.acceptsRanges = true
      $0.fault = .close(afterBodyBytes: 20_000)
    }
  }

  /// The rest of another version, with fields that may or may not name it.
  private static func rest(_ fields: String) -> Reply {
    let head =
      "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Range: bytes 20000-49999/50000\r\n"
      + "Content-Length: 30000\r\nConnection: close\r\n\r\n"
    return .failing(.rawHead(head), body: Data(new[20_000...]))
  }

  private func breakOff(_ loader: ResumableLoader, _ request: DataRequest) async {
    let error = await failure { () throws(DataLoadingError) in try await loader.data(for: request) }
    #expect(error != nil)
  }

  @Test(
    "A part without the requested validator is discarded",
    arguments: [
      ("\"1\"", ""), ("\"1\"", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n"), (nil, ""),
      (nil, "ETag: \"1\"\r\n"), (nil, "Last-Modified: Fri, 02 Jan 2026 00:00:00 GMT\r\n"),
    ] as [(String?, String)])
  func validators(_ tag: String?, _ fields: String) async throws {
    try await withLoopback { server, network async throws in
      var known = [
        (name: "Last-Modified", value: "Thu, 01 Jan 2026 00:00:00 GMT"),
        (name: "Date", value: "Sat, 03 Jan 2026 00:00:00 GMT"),
      ]
      if let tag { known.append((name: "ETag", value: tag)) }
      server.serve(
        "/a", inTurn: [Self.beginning(known), Self.rest(fields), Reply(body: Self.new)])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)
      #expect(loader.keptByteCount == 20_000)

      let (head, whole) = try await loader.data(for: request)

      #expect(whole == Self.new)
      #expect(head.resumedByteCount == 0)
      #expect(server.requests.map { $0[header: "Range"] } == [nil, "bytes=20000-", nil])
    }
  }

  @Test("A 304 in response to a range request causes a complete load")
  func notModified() async throws {
    try await withLoopback { server, network async throws in
      server.serve(
        "/a",
        inTurn: [
          Self.beginning([(name: "ETag", value: "\"1\"")]), .status(304), Reply(body: Self.new),
        ])
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)

      let (head, whole) = try await loader.data(for: request)

      #expect(whole == Self.new)
      #expect(head.resumedByteCount == 0)
      #expect(loader.keptByteCount == 0)
    }
  }
}
