import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct BackPressureTests {
  @Test(
    "A body that is not read pauses its server, and continues when it is read", .timeLimit(.minutes(20))
  )
  func pausing() async throws {
    try await withLoopback {
      $0.bufferedByteCount = 64 << 10
    } _: { server, loader in
      let whole = pattern(24 << 20)
      server.serve("/a", .bytes(whole))

      let loaded = try await loader.load(DataRequest(url: server.url("/a")))
      let stalled = await server.event { if case .stalled = $0 { true } else { false } }

      guard case .stalled(_, let sent)? = stalled else { return unexpected(stalled) }
      // What fits into the buffers of two sockets, and little more.
      #expect(sent < 8 << 20)
      #expect(try await loaded.collect() == whole)
    }
  }

  @Test(
    "A paused load does not time out as idle and does not delay others", .timeLimit(.minutes(20)))
  func pausedIsNotIdle() async throws {
    try await withLoopback {
      $0.bufferedByteCount = 16 << 10
    } _: { server, loader in
      let whole = pattern(24 << 20)
      server.serve("/big", .bytes(whole))
      let isEnough = await LongerTimes.suffice { factor in
        server.serve(
          "/slow",
          .bytes(pattern(50)).with {
            $0.pace = Reply.Pace(bytesPerSecond: 100 / factor, pieceByteCount: 5)
          })
        var limits = LoadLimits()
        limits.idleTimeout = .milliseconds(200 * factor)
        limits.totalTimeout = .seconds(600)

        guard
          let big = try? await loader.load(DataRequest(url: server.url("/big")), limits: limits),
          // Takes half a second, and so longer than the limit.
          let slow = try? await loader.data(for: DataRequest(url: server.url("/slow")), limits: limits)
        else { return false }
        let rest = try? await big.collect()
        return slow.body.count == 50 && rest == whole
      }
      #expect(isEnough)
    }
  }

  @Test("A body that is read while it arrives is delivered completely", .timeLimit(.minutes(20)))
  func pulledMeanwhile() async throws {
    // One read of libcurl is more than this, in pieces that are less: between two of them there is room again.
    try await withLoopback {
      $0.bufferedByteCount = 24 << 10
    } _: { server, loader in
      let whole = pattern(64 << 20)
      server.serve("/a", .bytes(whole))
      var limits = LoadLimits()
      (limits.idleTimeout, limits.totalTimeout) = (.seconds(600), .seconds(1200))

      let body = try await loader.load(DataRequest(url: server.url("/a")), limits: limits).body
      var received = 0
      while let chunk = try await body.next() { received += chunk.count }

      #expect(received == whole.count)
    }
  }

  @Test("Chunks are delivered as they arrive")
  func incremental() async throws {
    try await withLoopback { server, loader in
      let gate = try Gate()
      server.serve("/a", .bytes(pattern(100)).with { $0.bodyGate = (afterBytes: 40, gate: gate) })

      let body = try await loader.load(DataRequest(url: server.url("/a"))).body
      let first = try await body.next()
      gate.open()
      let second = try await body.next()

      #expect(first == pattern(100).prefix(40))
      #expect(second == pattern(100).suffix(60))
      #expect(try await body.next() == nil)
    }
  }

  @Test(
    "Several tasks can read one body, and each byte is delivered once",
    .timeLimit(.minutes(20)))
  func severalPull() async throws {
    try await withLoopback {
      $0.bufferedByteCount = 24 << 10
    } _: { server, loader in
      let whole = pattern(8 << 20)
      server.serve("/a", .bytes(whole))
      let body = try await loader.load(DataRequest(url: server.url("/a"))).body

      let (count, sum) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for _ in 0..<4 {
          group.addTask {
            var (count, sum) = (0, 0)
            while let chunk = try await body.next() {
              count += chunk.count
              sum = chunk.reduce(sum) { $0 + Int($1) }
            }
            return (count, sum)
          }
        }
        return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
      }

      #expect(count == whole.count)
      #expect(sum == whole.reduce(0) { $0 + Int($1) })
    }
  }
}
