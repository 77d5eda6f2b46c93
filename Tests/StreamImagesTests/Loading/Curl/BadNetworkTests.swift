import Foundation
import LoopbackServer
import StreamImages
import Testing

/// Loads over HTTP/1.1 through a bad network. Those over TLS and HTTP/2 need nginx: `NginxLinkTests`.
@Suite("Bad network", .timeLimit(.minutes(5))) struct BadNetworkTests {
  private func withRelay(
    _ link: Link = Link(), _ test: (LoopbackServer, NetworkRelay, CurlLoader) async throws -> Void
  ) async throws {
    try await withLoopback { server, loader in
      server.serve("*", .bytes(pattern(5_000)))
      let relay = try NetworkRelay(to: server.port, link)
      defer { relay.stop() }
      try await test(server, relay, loader)
    }
  }

  private func failures(
    of urls: [URL], _ loader: CurlLoader, _ limits: LoadLimits = LoadLimits()
  ) async -> [DataLoadingError] {
    await withTaskGroup(of: DataLoadingError?.self) { group in
      for url in urls {
        group.addTask {
          await failure { () throws(DataLoadingError) in
            try await loader.data(for: DataRequest(url: url), limits: limits)
          }
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
  }

  @Test("A slow link with packet loss loses no response")
  func slow() async throws {
    let link = Link(
      kilobitsPerSecond: 1000, roundTrip: .milliseconds(40), jitter: .milliseconds(10), loss: 0.02)
    try await withRelay(link) { _, relay, loader in
      #expect(await failures(of: (0..<40).map { relay.url("/\($0)") }, loader) == [])
    }
  }

  @Test("A dropped connection fails one load, and the next one succeeds")
  func forgotten() async throws {
    try await withRelay { _, relay, loader in
      var limits = LoadLimits()
      limits.firstByteTimeout = .milliseconds(300)
      _ = try await loader.data(for: DataRequest(url: relay.url("/1")))

      relay.forgetConnections()
      let first = await failures(of: [relay.url("/2")], loader, limits)
      let second = await failures(of: [relay.url("/3")], loader)

      #expect(first == [.timedOut(.firstByte)])
      #expect(second == [])
    }
  }

  @Test("A reset handshake is retried and then reported as a transient lost connection")
  func reset() async throws {
    try await withRelay { _, relay, loader in
      relay.resetNext(1_000)

      let errors = await failures(of: [relay.url("/", scheme: "https")], loader)

      guard case .connectionLost(.connect, _)? = errors.first else { return unexpected(errors) }
      #expect(errors[0].isTransient)
      #expect(relay.connectionCount == 4)
    }
  }

  @Test("All loads waiting for a dead host fail after one attempt")
  func dead() async throws {
    let port = try CrowdedPort()
    try await withLoopback { _, loader in
      var limits = LoadLimits()
      limits.connectTimeout = .seconds(3)
      var errors: [DataLoadingError] = []

      let took = await ContinuousClock().measure {
        errors = await failures(of: (0..<60).map { port.url("/\($0)") }, loader, limits)
      }

      #expect(errors == Array(repeating: .timedOut(.connect), count: 60))
      // Six at a time would take thirty seconds.
      #expect(took < .seconds(25))
    }
  }

  @Test("Loads that wait for a silent host over TLS leave room for others")
  func silentHost() async throws {
    try await withRelay { server, relay, loader in
      relay.isSilent = true
      var limits = LoadLimits()
      (limits.connectTimeout, limits.totalTimeout) = (.seconds(600), .seconds(1200))
      let dead = (0..<100).map { number in
        let request = DataRequest(url: relay.url("/\(number)", scheme: "https"))
        return Task { [limits] in try await loader.data(for: request, limits: limits) }
      }
      await until { relay.connectionCount > 0 }

      let took = try await ContinuousClock().measure {
        _ = try await loader.data(for: DataRequest(url: server.url("/a")))
      }

      // They have ten minutes to connect.
      #expect(took < .seconds(300))
      #expect(relay.connectionCount == 1)
      for load in dead { load.cancel() }
    }
  }

  @Test("A dead host does not fail loads from other hosts")
  func neighbours() async throws {
    let port = try RefusingPort()
    try await withRelay { _, relay, loader in
      async let dead = failures(of: (0..<20).map { port.url("/\($0)") }, loader)
      async let living = failures(of: (0..<20).map { relay.url("/\($0)") }, loader)

      #expect(await dead.count == 20)
      #expect(await living == [])
    }
  }

  @Test("Loads succeed again after a silent network recovers")
  func silent() async throws {
    try await withRelay { _, relay, loader in
      var limits = LoadLimits()
      (limits.firstByteTimeout, limits.idleTimeout) = (.milliseconds(300), .milliseconds(300))
      relay.isSilent = true

      let first = await failures(of: (0..<3).map { relay.url("/\($0)") }, loader, limits)
      relay.isSilent = false
      let second = await failures(of: (0..<3).map { relay.url("/\($0)") }, loader)

      #expect(first == Array(repeating: .timedOut(.firstByte), count: 3))
      #expect(second == [])
    }
  }
}
