import Foundation
import LoopbackServer
import StreamImages

/// A server and a loader, gone when the test is over.
func withLoopback(
  _ configure: (inout CurlLoader.Configuration) -> Void = { _ in },
  _ test: (LoopbackServer, CurlLoader) async throws -> Void
) async throws {
  var configuration = CurlLoader.Configuration()
  configuration.proxy = .none
  configure(&configuration)
  try await RealTime.run {
    let server = try LoopbackServer()
    let loader = CurlLoader(configuration)
    defer {
      loader.invalidate()
      server.stop()
    }
    try await test(server, loader)
  }
}

/// Bytes that tell their place, so that a shift or a gap is seen.
func pattern(_ count: Int, seed: Int = 0) -> Data {
  // Of a prime length, so that no piece of a round size is like the next.
  let period = Data(
    (0..<min(count, 65_521)).map { UInt8(truncatingIfNeeded: ($0 + seed) &* 31 &+ ($0 + seed) >> 8) })
  var whole = period
  whole.reserveCapacity(count)
  while whole.count < count { whole += period.prefix(count - whole.count) }
  return whole
}

/// Bytes that cannot be compressed.
func noise(_ count: Int) -> Data {
  var generator = Generator(seed: 1)
  return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
}

/// The error of a load that should fail; `nil` if it does not.
func failure(_ load: () async throws(DataLoadingError) -> some Any) async -> DataLoadingError? {
  do throws(DataLoadingError) {
    _ = try await load()
    return nil
  } catch {
    return error
  }
}

extension LoopbackServer {
  /// The connections that clients have closed, in order.
  var connectionsLeft: [Int] {
    events.compactMap { if case .closed(let connection, .client) = $0 { connection } else { nil } }
  }

  var connectionCount: Int {
    events.count { if case .opened = $0 { true } else { false } }
  }

  func waitForRequest(_ path: String) async -> Request? {
    let event = await event { if case .requested(let request) = $0 { request.path == path } else { false } }
    if case .requested(let request) = event { return request }
    return nil
  }

  /// Waits until a client has left before its answer was sent.
  func waitForDeparture(from path: String) async -> Bool {
    await event {
      if case .answered(let request, .clientLeft, _) = $0 { request.path == path } else { false }
    } != nil
  }
}
