import Foundation
import LoopbackServer
import StreamImages
import Testing

/// Which loads of a loader use the same connections, and that all are closed.
@Suite("Connections of a loader", .timeLimit(.minutes(20))) struct LoaderConnectionTests {
  private func request(_ url: URL, buffers: Bool) -> DataRequest {
    var request = DataRequest(url: url)
    request.buffersBody = buffers
    return request
  }

  @Test("Buffered and unbuffered bodies have connections of their own only if loads share some")
  func kinds() async throws {
    for (multiplexes, usesHTTP2) in [(false, false), (true, false), (false, true), (true, true)] {
      try await withLoopback {
        ($0.multiplexes, $0.usesHTTP2) = (multiplexes, usesHTTP2)
      } _: { server, loader in
        server.serve("*", .bytes(pattern(10)))
        // All of these have their bodies buffered.
        try await loader.warmUp(server.url("/"))
        _ = try await loader.data(for: DataRequest(url: server.url("/a")))
        _ = try await loader.load(request(server.url("/b"), buffers: true)).collect()
        #expect(server.connectionCount == 1)

        for _ in 0..<2 { _ = try await loader.load(request(server.url("/c"), buffers: false)).collect() }
        #expect(server.connectionCount == (multiplexes && usesHTTP2 ? 2 : 1))

        loader.invalidate()
        #expect(try Descriptors.count(connectedTo: server.port) == 0)
      }
    }
  }

  @Test("As many loads from a host are under way at once as the loader may have connections to it")
  func atOnce() async throws {
    try await withLoopback({ $0.maximumConnectionsPerHost = 3 }) { server, loader in
      let gate = try Gate()
      server.serve("*", .bytes(pattern(10)).with { $0.gate = gate })
      let tasks = (0..<4).map { number in
        Task { try await loader.data(for: DataRequest(url: server.url("/\(number)"))).body }
      }

      // None of them is answered before.
      await until { server.requests.count == 3 }
      #expect(server.requests.count == 3)
      gate.open()

      for task in tasks { #expect(try await task.value == pattern(10)) }
      #expect(server.connectionCount == 3)
    }
  }
}
