import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct TimingsTests {
  @Test("Timings report the duration of each step and the number of redirects")
  func timings() async throws {
    try await withLoopback { server, loader in
      server.serve("/a", .redirect(to: "/b"))
      server.serve("/b", .bytes(pattern(10)).with { $0.delay = .milliseconds(30) })

      let start = ContinuousClock.now
      let timings = try #require(try await loader.load(DataRequest(url: server.url("/a"))).head.timings)
      let whole = start.duration(to: .now)

      #expect(timings.redirectCount == 1)
      #expect(timings.answering >= .milliseconds(30))
      #expect(timings.untilHead >= timings.answering + timings.connecting)
      #expect(timings.waiting + timings.untilHead <= whole)
    }
  }

  @Test("A queued load reports the time it waited")
  func waiting() async throws {
    try await withLoopback {
      $0.maximumConnectionsPerHost = 1
    } _: { server, loader in
      let gate = try Gate()
      server.serve("/first", .bytes(Data()).with { $0.gate = gate })
      server.serve("/second", .bytes(Data()))
      async let first = loader.data(for: DataRequest(url: server.url("/first")))
      _ = await server.waitForRequest("/first")
      async let second = loader.data(for: DataRequest(url: server.url("/second")))
      gate.open()

      let timings = (try await first.head.timings, try await second.head.timings)

      #expect(try #require(timings.1).waiting >= .zero)
      #expect(try #require(timings.0).answering > .zero)
    }
  }
}
