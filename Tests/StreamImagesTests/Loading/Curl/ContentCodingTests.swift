import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct ContentCodingTests {
  @Test("A requested coding is decoded, and the length is then unknown")
  func decoded() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .gzipped(try Gzip.packed(pattern(200_000))))
      var request = DataRequest(url: server.url("/a"))
      request.allowsContentCoding = true

      let (head, body) = try await loader.data(for: request)

      #expect(body == pattern(200_000))
      #expect(head.isContentCoded)
      #expect(head.expectedByteCount == nil)
      #expect(server.requests.first?[header: "Accept-Encoding"]?.contains("gzip") == true)
    }
  }

  @Test("A coding that was not requested is left encoded and reported")
  func raw() async throws {
    try await withLoopback { server, loader in
      let coded = try Gzip.packed(pattern(1000))
      server.serve("/a", .gzipped(coded))

      let (head, body) = try await loader.data(for: DataRequest(url: server.url("/a")))

      #expect(body == coded)
      #expect(head.isContentCoded)
      #expect(head.expectedByteCount == coded.count)
    }
  }

  @Test("Allowing compression keeps the length of an uncompressed response known")
  func unused() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(1000)))
      server.serve(
        "/part",
        .bytes(pattern(1000)).with {
          $0.acceptsRanges = true
          $0.framing = .chunked(100)
        })
      var whole = DataRequest(url: server.url("/a"))
      whole.allowsContentCoding = true
      var part = DataRequest(url: server.url("/part"), headers: ["Range": "bytes=400-"])
      part.allowsContentCoding = true

      let heads = try await (loader.data(for: whole).head, loader.data(for: part).head)

      #expect(heads.0.expectedByteCount == 1000)
      #expect(heads.1.expectedByteCount == 600)
    }
  }

  @Test("The identity coding counts as no coding")
  func identity() async throws {
    try await withLoopback { server, loader in
      server.serve(
        "/a", .bytes(pattern(1000)).with { $0.headers.append(("Content-Encoding", "identity ,\tidentity")) })

      let (head, body) = try await loader.data(for: DataRequest(url: server.url("/a")))

      #expect(body == pattern(1000))
      #expect(!head.isContentCoded)
    }
  }

  @Test("Each request sets its own Accept-Encoding, and an explicit header replaces it")
  func asking() async throws {
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(10)))
      var coded = DataRequest(url: server.url("/a"))
      coded.allowsContentCoding = true
      let plain = DataRequest(url: server.url("/b"))
      let own = DataRequest(url: server.url("/c"), headers: ["accept-encoding": "br"])

      for request in [plain, coded, plain, own, plain] { _ = try await loader.data(for: request) }

      let asked = server.requests.map { request in
        request.headers.filter { $0.name.lowercased() == "accept-encoding" }.map(\.value)
      }
      #expect(asked.map(\.count) == [1, 1, 1, 1, 1])
      #expect([0, 2, 4].allSatisfy { asked[$0] == ["identity"] })
      #expect(asked[1][0].contains("gzip") && asked[3] == ["br"])
    }
  }

  @Test("A body that cannot be decoded is an error")
  func broken() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .gzipped(pattern(1000)))
      var request = DataRequest(url: server.url("/a"))
      request.allowsContentCoding = true

      let error = await failure { [request] () throws(DataLoadingError) in try await loader.data(for: request)
      }

      #expect(error == .badContentCoding)
    }
  }
}
