import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct LimitTests {
  private func error(
    of path: String, _ server: LoopbackServer, _ loader: CurlLoader, coded: Bool = false,
    _ change: (inout LoadLimits) -> Void
  ) async -> DataLoadingError? {
    var limits = LoadLimits()
    change(&limits)
    var request = DataRequest(url: server.url(path))
    request.allowsContentCoding = coded
    return await failure { [request, limits] () throws(DataLoadingError) in
      try await loader.data(for: request, limits: limits)
    }
  }

  @Test("An announced length above the limit is refused before the body")
  func knownLength() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .bytes(pattern(1001)))

      let error = await error(of: "/a", server, loader) { $0.maximumByteCount = 1000 }

      #expect(error == .tooLarge(limit: 1000, announced: 1001))
      #expect(await self.error(of: "/a", server, loader) { $0.maximumByteCount = 1001 } == nil)
    }
  }

  @Test("An endless body is cut at the limit and its connection is closed")
  func unknownLength() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .failing(.endless))

      let error = await error(of: "/a", server, loader) { $0.maximumByteCount = 1 << 20 }

      #expect(error == .tooLarge(limit: 1 << 20, announced: nil))
      #expect(await server.waitForDeparture(from: "/a"))
    }
  }

  @Test("The size limit counts the decoded bytes of a compressed body")
  func decodedBytes() async throws {
    try await withLoopback { server, loader in
      server.serve("/zeros", .gzipped(try Gzip.zeros(900_000)))

      let error = await error(of: "/zeros", server, loader, coded: true) { $0.maximumByteCount = 500_000 }

      #expect(error == .tooLarge(limit: 500_000, announced: nil))
    }
  }

  @Test("A decompression bomb is refused, and a body with little compression is accepted")
  func expansion() async throws {
    try await withLoopback { server, loader in
      server.serve("/bomb", .gzipped(try Gzip.zeros(60_000_000)))
      server.serve("/honest", .gzipped(try Gzip.packed(noise(3_000_000))))

      let bomb = await error(of: "/bomb", server, loader, coded: true) { _ in }
      let honest = await error(of: "/honest", server, loader, coded: true) { _ in }

      #expect(bomb == .expandsTooMuch(ratio: 100))
      #expect(honest == nil)
    }
  }

  @Test("A head with too many bytes or fields is refused")
  func heads() async throws {
    try await withLoopback { server, loader in
      server.serve("/fields", .failing(.headerFlood(count: 101, valueByteCount: 1)))
      server.serve("/bytes", .failing(.headerFlood(count: 9, valueByteCount: 8 << 10)))
      server.serve("/endless", .failing(.headerFlood(count: nil, valueByteCount: 10)))
      server.serve("/fair", .failing(.headerFlood(count: 90, valueByteCount: 100)))

      for path in ["/fields", "/bytes", "/endless"] {
        #expect(await error(of: path, server, loader) { _ in } == .headTooLarge)
      }
      #expect(await error(of: "/fair", server, loader) { _ in } == nil)
    }
  }
}
