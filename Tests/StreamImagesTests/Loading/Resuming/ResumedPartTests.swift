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

  /// A body that can be resumed, and breaks off after so many bytes.
  private static func tagged(_ body: Data, _ tag: String = "\"1\"", breaking: Int? = nil) -> Reply {
    Reply(body: body).with {
      ($0.entityTag, $0.acceptsRanges) = (tag, true)
      if let breaking { $0.fault = .close(afterBodyBytes: breaking) }
    }
  }

  @Test("A body is not resumed with the rest of another resource that has the same tag")
  func elsewhere() async throws {
    try await withLoopback { server, network async throws in
      let second = pattern(1_000, seed: 500)
      server.serve("/a", inTurn: [.redirect(to: "/b"), .redirect(to: "/c")])
      server.serve("/b", Self.tagged(pattern(1_000), breaking: 400))
      server.serve("/c", Self.tagged(second))
      let loader = ResumableLoader(network)
      let request = DataRequest(url: server.url("/a"))
      await breakOff(loader, request)
      #expect(loader.keptByteCount == 400)

      #expect(try await loader.data(for: request).body == second)
    }
  }

  @Test(
    "Removing a request from an HTTP cache removes what a resumable loader behind it keeps",
    arguments: ["plain", "revalidated", "redirected", "reloaded"])
  func forgottenBehind(_ kind: String) async throws {
    try await withLoopback { server, network async throws in
      let broken = Self.tagged(pattern(1_000), "\"2\"", breaking: 400)
      server.serve("/plain", broken)
      server.serve(
        "/revalidated",
        inTurn: [
          Self.tagged(pattern(1_000, seed: 7)).with { $0.headers = [("Cache-Control", "max-age=0")] }, broken,
        ])
      server.serve(
        "/redirected",
        Reply.redirect(to: "/plain", status: 301).with {
          $0.headers.append(("Cache-Control", "max-age=1000"))
        })
      server.serve("/reloaded", broken)
      let resumable = ResumableLoader(network)
      let pipeline = ImagePipeline {
        $0.dataLoader = SchemeLoader(network: HTTPCache(resumable, store: RecordingDataCache()))
        ($0.dataCache, $0.imageCache) = (nil, nil)
      }
      let request = ImageRequest(url: server.url("/\(kind)"))
      if kind == "revalidated" { _ = try await pipeline.data(for: request) }
      var loaded = request
      if kind == "reloaded" { loaded.options = .reloadIgnoringCachedData }
      let error = await pipeline.dataTask(with: loaded).failure()
      #expect(error?.dataLoadingError == .truncated(received: 400, expected: 1_000))
      #expect(resumable.keptByteCount == 400)

      await pipeline.cache.remove(request)

      #expect(resumable.keptByteCount == 0)
    }
  }
}
