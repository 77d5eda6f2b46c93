import Foundation
import LoopbackServer
import StreamImages
import Testing

/// What servers get wrong, and that the error names it.
@Suite("Errors of malformed responses", .inRealTime)
struct PreciseErrorTests {
  private func error(
    _ reply: Reply, _ change: (inout DataRequest) -> Void = { _ in }
  ) async throws -> DataLoadingError? {
    var result: DataLoadingError?
    try await withLoopback { server, loader in
      server.serve("/a", reply)
      var request = DataRequest(url: server.url("/a"))
      change(&request)
      result = await failure { [request] () throws(DataLoadingError) in try await loader.data(for: request) }
    }
    return result
  }

  private func raw(_ head: String, _ body: String = "") -> Reply {
    .failing(.rawHead("HTTP/1.1 \(head)\r\n\r\n"), body: Data(body.utf8))
  }

  @Test(
    "A header line of 1 MB makes the head too large, which is permanent",
    arguments: ["200 OK", "103 Early Hints", "302 Found"])
  func longLine(status: String) async throws {
    let line = "X-Long: " + String(repeating: "x", count: 1 << 20)

    let error = try await error(raw("\(status)\r\n\(line)\r\nContent-Length: 0"))

    #expect(error == .headTooLarge)
    #expect(error?.isTransient == false)
  }

  @Test("A trailer line of 1 MB makes the head too large")
  func longTrailer() async throws {
    let line = "X-Long: " + String(repeating: "x", count: 1 << 20)

    let error = try await error(
      raw("200 OK\r\nTransfer-Encoding: chunked", "1\r\nx\r\n0\r\n\(line)\r\n\r\n"))

    #expect(error == .headTooLarge)
  }

  @Test(
    "Malformed chunks are a permanent protocol violation",
    arguments: [
      "zz\r\nab\r\n0\r\n\r\n", "2\r\nabc\r\n0\r\n\r\n", "fffffffffffffffffff\r\nab\r\n0\r\n\r\n", "\r\n",
    ])
  func chunks(body: String) async throws {
    let error = try await error(raw("200 OK\r\nTransfer-Encoding: chunked", body))

    guard case .protocolViolation? = error else { return unexpected(error) }
    #expect(error?.isTransient == false)
  }

  @Test("Chunks that end early are a transient truncation")
  func missingChunks() async throws {
    let error = try await error(raw("200 OK\r\nTransfer-Encoding: chunked", "2\r\nab\r\n5\r\nab"))

    #expect(error == .truncated(received: 4, expected: nil))
    #expect(error?.isTransient == true)
  }

  @Test("A part longer than its range fails with the announced length")
  func longPart() async throws {
    let head = "206 Partial Content\r\nContent-Range: bytes 10-19/20\r\nTransfer-Encoding: chunked"

    let error = try await error(raw(head, "c\r\nabcdefghijkl\r\n0\r\n\r\n")) {
      $0.headers["Range"] = "bytes=10-"
    }
    let short = try await self.error(raw(head, "3\r\nabc\r\n0\r\n\r\n")) { $0.headers["Range"] = "bytes=10-" }

    #expect(error?.description == "The body is longer than the 10 bytes that were announced")
    #expect(error?.isTransient == false)
    #expect(short == .truncated(received: 3, expected: 10))
  }

  @Test(
    "A resumed body that is too long fails with the announced length of the rest")
  func longRest() async throws {
    let body = pattern(22_789)
    let head =
      "206 Partial Content\r\nETag: \"1\"\r\nContent-Range: bytes 10000-22788/22789\r\nTransfer-Encoding: chunked"
    let framed = Data("3259\r\n".utf8) + body.dropFirst(10_000) + pattern(100) + Data("\r\n0\r\n\r\n".utf8)
    try await withLoopback { server, loader in
      let whole = Reply.failing(.close(afterBodyBytes: 10_000), body: body).with {
        ($0.entityTag, $0.acceptsRanges) = ("\"1\"", true)
      }
      server.serve("/a", inTurn: [whole, raw(head).with { $0.body = framed }])
      let resuming = ResumableLoader(loader)
      let load = { () async throws(DataLoadingError) in
        try await resuming.data(for: DataRequest(url: server.url("/a")))
      }

      #expect(await failure(load) == .truncated(received: 10_000, expected: 22_789))
      #expect(await failure(load) == .longerThanAnnounced(byteCount: 12_789))
      #expect(resuming.keptByteCount == 0)
    }
  }

  @Test("A part whose length differs from its range violates the protocol")
  func disagreeingPart() async throws {
    let head = "206 Partial Content\r\nContent-Range: bytes 10-19/20\r\nContent-Length: 12"

    let error = try await error(raw(head, "abcdefghijkl")) { $0.headers["Range"] = "bytes=10-" }

    guard case .protocolViolation? = error else { return unexpected(error) }
  }

  @Test("A truncated compressed body reports its decoded length and no expected length")
  func truncatedCoding() async throws {
    let coded = try Gzip.packed(noise(200_000))
    let reply = Reply.gzipped(coded).with { $0.fault = .close(afterBodyBytes: 150_000) }

    let error = try await error(reply) { $0.allowsContentCoding = true }

    guard case .truncated(let received, nil)? = error else { return unexpected(error) }
    #expect((1...150_000).contains(received))
  }

  @Test(
    "A redirect without a valid address is refused permanently",
    arguments: [
      nil, "", " ", "http://exa mple.com/", "http://%zz/", "http://[::1/", "http://a@b@c/", "http:", "http:a",
      "http://a]/", "http://a%4/",
    ])
  func badLocation(_ location: String?) async throws {
    let error = try await error(
      raw("302 Found\(location.map { "\r\nLocation: \($0)" } ?? "")\r\nContent-Length: 0"))

    guard case .redirectRefused? = error else { return unexpected(error) }
    #expect(error?.isTransient == false)
  }

  @Test("A redirect with two addresses is refused")
  func twoLocations() async throws {
    let error = try await error(raw("302 Found\r\nLocation: /b\r\nLocation: /c\r\nContent-Length: 0"))

    #expect(error == .redirectRefused(.badLocation))
  }
}
