import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite struct TimeoutTests {
  private func error(
    at url: URL, _ loader: CurlLoader, _ change: (inout LoadLimits) -> Void
  ) async -> (DataLoadingError?, Duration) {
    var limits = LoadLimits()
    change(&limits)
    var error: DataLoadingError?
    let took = await ContinuousClock().measure {
      error = await failure { [limits] () throws(DataLoadingError) in
        try await loader.data(for: DataRequest(url: url), limits: limits)
      }
    }
    return (error, took)
  }

  @Test("A connection that is never accepted times out")
  func connecting() async throws {
    let port = try CrowdedPort()
    try await withLoopback { _, loader in
      let (error, took) = await error(at: port.url("/"), loader) { $0.connectTimeout = .milliseconds(100) }

      #expect(error == .timedOut(.connect))
      #expect(took >= .milliseconds(100) && took < .seconds(30))
    }
  }

  @Test("An address that does not respond leaves a part of the time to connect to the next one of its host")
  func addresses() async throws {
    let port = try CrowdedPort()
    let tried = Shared<[[UInt8]]>([])
    try await withLoopback {
      $0.addressesOfNames = ["two.example:\(port.port):127.0.0.1,127.0.0.2"]
      $0.addressPolicy = AddressPolicy { address in
        tried.change { $0.append(address.bytes) }
        return true
      }
    } _: { _, loader in
      let url = try #require(URL(string: "http://two.example:\(port.port)/"))

      // Nobody listens at the second one, which libcurl may notice too late.
      let (error, _) = await error(at: url, loader) { $0.connectTimeout = .seconds(12) }

      #expect(error != nil)
      #expect(tried.value == [[127, 0, 0, 1], [127, 0, 0, 2]])
    }
  }

  @Test("A failed handshake ends all loads waiting for the shared connection")
  func sharing() async throws {
    try await withLoopback { server, loader in
      // A server that does not speak TLS.
      let port = try #require(server.url("/").port)
      let request = DataRequest(url: try #require(URL(string: "https://127.0.0.1:\(port)/")))

      let errors = await withTaskGroup(of: DataLoadingError?.self) { group in
        for _ in 0..<12 {
          group.addTask {
            do throws(DataLoadingError) {
              _ = try await loader.data(for: request)
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }

      #expect(errors.allSatisfy { if case .connectionLost(.connect, _) = $0 { true } else { false } })
      // Four attempts, each with some that libcurl begins before it is told, 8 more than 7. Without sharing, 12 loads make 48.
      #expect(server.connectionCount < 48)
    }
  }

  @Test("A response that never begins times out")
  func firstByte() async throws {
    try await withLoopback { server, loader in
      server.serve("/silent", .failing(.silence))
      server.serve("/late", .bytes(Data()).with { $0.delay = .milliseconds(50) })

      let (silent, took) = await error(at: server.url("/silent"), loader) {
        $0.firstByteTimeout = .milliseconds(100)
      }
      let (late, _) = await error(at: server.url("/late"), loader) { $0.firstByteTimeout = .seconds(60) }

      #expect(silent == .timedOut(.firstByte))
      #expect(took >= .milliseconds(100) && took < .seconds(30))
      #expect(late == nil)
      #expect(await server.waitForDeparture(from: "/silent"))
    }
  }

  @Test("A head that drips in bytes or in lines times out before its end", arguments: [1, 8])
  func drippingHead(_ pieceByteCount: Int) async throws {
    try await withLoopback { server, loader in
      let lines = Data(String(repeating: "X-1: 2\r\n", count: 8 << 10).utf8)
      let pace = Reply.Pace(bytesPerSecond: 50 * pieceByteCount, pieceByteCount: pieceByteCount)
      server.serve(
        "/a", .failing(.rawHead("HTTP/1.1 200 OK\r\n"), body: lines).with { $0.pace = pace })

      let (error, took) = await error(at: server.url("/a"), loader) {
        $0.firstByteTimeout = .milliseconds(200)
        ($0.maximumHeadFieldCount, $0.maximumHeadByteCount) = (.max, .max)
      }

      #expect(error == .timedOut(.firstByte))
      #expect(took >= .milliseconds(200))
      #expect(await server.waitForDeparture(from: "/a"))
    }
  }

  @Test("A body without new bytes times out as idle")
  func idle() async throws {
    try await withLoopback { server, loader in
      let gate = try Gate()
      server.serve("/a", .bytes(pattern(100)).with { $0.bodyGate = (afterBytes: 1, gate: gate) })

      let (error, _) = await error(at: server.url("/a"), loader) { $0.idleTimeout = .milliseconds(100) }

      #expect(error == .timedOut(.idle))
      #expect(await server.waitForDeparture(from: "/a"))
    }
  }

  @Test("An endless slow body exceeds the total timeout")
  func total() async throws {
    try await withLoopback { server, loader in
      let drip = Reply.Pace(bytesPerSecond: 100, pieceByteCount: 1)
      server.serve("/a", .failing(.endless).with { $0.pace = drip })

      let (error, took) = await error(at: server.url("/a"), loader) {
        $0.idleTimeout = .seconds(10)
        $0.totalTimeout = .milliseconds(300)
      }

      #expect(error == .timedOut(.total))
      #expect(took >= .milliseconds(300) && took < .seconds(30))
    }
  }

  @Test("Redirects share one total timeout")
  func redirects() async throws {
    try await withLoopback { server, loader in
      for hop in 0..<5 {
        server.serve("/\(hop)", .redirect(to: "/\(hop + 1)").with { $0.delay = .milliseconds(100) })
      }

      let (error, _) = await error(at: server.url("/0"), loader) { $0.totalTimeout = .milliseconds(250) }

      #expect(error == .timedOut(.total))
      #expect(server.requests.count < 5)
    }
  }

  @Test("Time in the queue does not count towards the total timeout")
  func queued() async throws {
    try await withLoopback {
      $0.maximumConnectionsPerHost = 1
    } _: { server, loader in
      let isEnough = await LongerTimes.suffice { factor in
        server.serve("*", .bytes(Data()).with { $0.delay = .milliseconds(60 * factor) })
        var limits = LoadLimits()
        limits.totalTimeout = .milliseconds(400 * factor)
        return await withTaskGroup(of: DataLoadingError?.self) { group in
          for number in 0..<12 {
            let request = DataRequest(url: server.url("/\(number)"))
            group.addTask { [limits] in
              await failure { () throws(DataLoadingError) in
                try await loader.data(for: request, limits: limits)
              }
            }
          }
          return await group.allSatisfy { $0 == nil }
        }
      }
      #expect(isEnough)
    }
  }
}
