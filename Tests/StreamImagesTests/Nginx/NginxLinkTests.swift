import Foundation
import LoopbackServer
import StreamImages
import Testing

/// Loads over HTTP/1.1, TLS and HTTP/2 through a bad network.
@Suite("Nginx: bad networks", .enabled(if: Nginx.isThere), .timeLimit(.minutes(10)))
struct NginxLinkTests {
  private func withRelay(
    _ way: Way, _ link: Link = Link(), _ test: (NetworkRelay, CurlLoader) async throws -> Void
  ) async throws {
    let relay = try NetworkRelay(to: UInt16(try #require(way.url("/").port)), link)
    let loader = way.loader()
    defer {
      loader.invalidate()
      relay.stop()
    }
    try await RealTime.run { try await test(relay, loader) }
  }

  private func url(_ relay: NetworkRelay, _ way: Way, _ path: String) -> URL {
    relay.url(path, scheme: way == .plain ? "http" : "https")
  }

  /// Makes a file that the server has, and returns its name.
  private func file(of size: Int) throws -> String {
    let name = "test-\(size)"
    let folder = URL(filePath: try #require(Nginx.environment["NGINX_FILES"]))
    try Data(count: size).write(to: folder.appending(path: name), options: .atomic)
    return name
  }

  /// Loads the small image so often at once, or another file.
  private func failures(
    _ count: Int, _ relay: NetworkRelay, _ way: Way, _ loader: CurlLoader, _ limits: LoadLimits,
    _ file: (name: String, size: Int) = ("small", 20_000)
  ) async -> [DataLoadingError] {
    await withTaskGroup(of: DataLoadingError?.self) { group in
      for number in 0..<count {
        let request = DataRequest(url: url(relay, way, "/\(file.name)?\(number)"))
        group.addTask {
          await failure { () throws(DataLoadingError) in
            let body = try await loader.data(for: request, limits: limits).body
            guard body.count == file.size else {
              throw .truncated(received: body.count, expected: file.size)
            }
          }
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
    }
  }

  struct Cell: CustomTestStringConvertible, Sendable {
    let way: Way, kilobits: Int, milliseconds: Int, loss: Double, count: Int
    var size = 20_000
    var testDescription: String {
      "\(way): \(kilobits) kbit/s, \(milliseconds) ms, loss \(loss), \(count) images of \(size) bytes"
    }
  }

  @Test(
    "All loads that share a slow link succeed",
    arguments: [
      Cell(way: .http2, kilobits: 64, milliseconds: 300, loss: 0.01, count: 14, size: 12_000),
      Cell(way: .http2, kilobits: 500, milliseconds: 300, loss: 0.01, count: 36),
      Cell(way: .http2, kilobits: 10_000, milliseconds: 50, loss: 0.05, count: 100),
      Cell(way: .secure, kilobits: 1_000, milliseconds: 50, loss: 0.01, count: 40),
    ])
  func cells(_ cell: Cell) async throws {
    let link = Link(
      kilobitsPerSecond: cell.kilobits, roundTrip: .milliseconds(cell.milliseconds), loss: cell.loss)
    try await withRelay(cell.way, link) { relay, loader in
      var limits = LoadLimits()
      // A TLS record may take two seconds.
      let timeout = Duration.seconds(cell.kilobits < 100 ? 5 : 2)
      (limits.firstByteTimeout, limits.idleTimeout) = (timeout, timeout)
      limits.totalTimeout = cell.kilobits < 100 ? .seconds(12) : .seconds(30)
      let file = try file(of: cell.size)

      let failures = await failures(cell.count, relay, cell.way, loader, limits, (file, cell.size))

      #expect(failures == [])
      // Little is sent twice: heads, frames and TLS take less than a tenth.
      #expect(relay.byteCount < cell.count * cell.size * 11 / 10 + 20_000)
    }
  }

  @Test("The first requested response is delivered before the others")
  func order() async throws {
    let size = 197_000
    let file = try file(of: size)
    try await withRelay(.http2, Link(kilobitsPerSecond: 2_000, roundTrip: .milliseconds(300))) {
      relay, loader in
      let first = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<60 {
          let request = DataRequest(url: url(relay, .http2, "/\(file)?\(number)"))
          group.addTask {
            _ = try await loader.data(for: request)
            return relay.byteCount
          }
        }
        defer { group.cancelAll() }
        return try #require(try await group.next())
      }

      // In turns, a third of each would have arrived.
      #expect(first < 10 * size)
    }
  }

  @Test(
    "A dropped connection fails the first load, and the next one succeeds", arguments: Way.allCases)
  func forgotten(_ way: Way) async throws {
    try await withRelay(way) { relay, loader in
      var limits = LoadLimits()
      limits.firstByteTimeout = .milliseconds(500)
      #expect(await failures(1, relay, way, loader, LoadLimits()) == [])

      relay.forgetConnections()
      let first = await failures(1, relay, way, loader, limits)
      let second = await failures(1, relay, way, loader, limits)

      #expect(first == [.timedOut(.firstByte)])
      #expect(second == [])
    }
  }

  @Test("Loads that share a dropped connection are sent again on another")
  func forgottenByMany() async throws {
    try await withRelay(.http2) { relay, loader in
      var limits = LoadLimits()
      limits.firstByteTimeout = .milliseconds(500)
      #expect(await failures(1, relay, .http2, loader, LoadLimits()) == [])

      relay.forgetConnections()

      #expect(await failures(50, relay, .http2, loader, limits) == [])
      #expect(relay.connectionCount == 2)
    }
  }

  @Test(
    "A long silence fails few of 500 loads, and an urgent one succeeds at once",
    arguments: Way.allCases)
  func blackHole(_ way: Way) async throws {
    try await withRelay(way, Link(kilobitsPerSecond: 20_000, roundTrip: .milliseconds(20))) { relay, loader in
      // A tenth of the usual ones.
      var limits = LoadLimits()
      (limits.firstByteTimeout, limits.idleTimeout) = (.milliseconds(1500), .milliseconds(1500))
      (limits.connectTimeout, limits.totalTimeout) = (.seconds(1), .seconds(6))
      async let failed = failures(500, relay, way, loader, limits)

      await relay.fallSilent(for: .seconds(3), after: 2_000_000)
      var urgent = DataRequest(url: url(relay, way, "/small"))
      urgent.priority = .veryHigh
      let took = try await ContinuousClock().measure { _ = try await loader.data(for: urgent) }
      let lost = await failed

      #expect(lost.count <= 12, "\(Dictionary(grouping: lost, by: \.code).mapValues(\.count))")
      #expect(took < .seconds(2))
    }
  }

  @Test(
    "Reset handshakes fail no load if one of four succeeds", arguments: [Way.secure, .http2])
  func handshakes(_ way: Way) async throws {
    try await withRelay(way) { relay, loader in
      relay.resetNext(3)

      #expect(await failures(20, relay, way, loader, LoadLimits()) == [])
    }
  }

  @Test(
    "A server that floods a connection with frames does not delay other loads",
    .enabled(if: Nginx.environment["NGINX_FRAMES"] != nil), arguments: FrameFlood.Frame.allCases)
  func flood(_ frame: FrameFlood.Frame) async throws {
    let base = try #require(Nginx.environment["NGINX_FRAMES"])
    let port = try #require(UInt16(Nginx.environment["NGINX_FRAMES_PORT"] ?? ""))
    let flood = try FrameFlood(of: frame, at: port)
    let loader = Way.http2.loader()
    try await RealTime.run {
      var limits = LoadLimits()
      (limits.firstByteTimeout, limits.idleTimeout) = (.seconds(8), .seconds(8))
      let flooded = DataRequest(url: try #require(URL(string: base + "/")))
      let load = Task { [limits] in
        await failure { () throws(DataLoadingError) in try await loader.data(for: flooded, limits: limits) }
      }
      await flood.begun()

      let took = try await ContinuousClock().measure {
        for _ in 0..<20 { _ = try await loader.data(for: DataRequest(url: Way.http2.url("/small"))) }
      }
      let error = await load.value

      #expect(took < .seconds(5))
      switch error {
      case .protocolViolation, .connectionLost(.firstByte, _), .timedOut(.firstByte), .timedOut(.idle): break
      default: unexpected(error)
      }
    }
    loader.invalidate()
    flood.stop()
  }
}
