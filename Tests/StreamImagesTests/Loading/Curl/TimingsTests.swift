import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct TimingsTests {
  @Test("Timings begin at zero, without a redirect")
  func beginning() {
    let timings = LoadTimings()

    #expect(
      [timings.waiting, timings.untilHead, timings.connecting, timings.answering].allSatisfy { $0 == .zero })
    #expect(timings.redirectCount == 0)
  }

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

  @Test("A queued load reports the time in the queue apart from the time of its response")
  func waiting() async throws {
    try await withLoopback {
      ($0.maximumConnectionsPerHost, $0.multiplexes) = (1, false)
    } _: { server, loader in
      let gate = try Gate()
      // Its body takes 30 milliseconds, which begin when the gate opens.
      let pace = Reply.Pace(bytesPerSecond: 30, pieceByteCount: 1)
      server.serve("/first", .bytes(Data([1, 2])).with { ($0.gate, $0.pace) = (gate, pace) })
      server.serve("/second", .bytes(Data()).with { $0.delay = .milliseconds(30) })
      func load(_ path: String) -> Task<LoadTimings?, any Error> {
        Task(executorPreference: loader.executor) {
          try await loader.data(for: DataRequest(url: server.url(path))).head.timings
        }
      }
      let first = load("/first")
      _ = await server.waitForRequest("/first")

      // On the thread of the loader, tasks run one after the other: the second load is queued before the next one runs.
      let start = ContinuousClock.now
      let second = load("/second")
      await Task(executorPreference: loader.executor) {}.value
      gate.open()
      _ = try await first.value
      let timings = try #require(try await second.value)
      let whole = start.duration(to: .now)

      #expect(timings.waiting >= .milliseconds(30))
      #expect(timings.answering >= .milliseconds(30))
      #expect(timings.waiting + timings.untilHead <= whole)
    }
  }
}
