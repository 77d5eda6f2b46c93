import Foundation
import StreamImages

/// A client of the gallery. It keeps nothing of what it gets.
struct Visitor: Sendable {
  private let loader: CurlLoader
  private let address: URL

  init(of server: HTTPServer) {
    var network = CurlLoader.Configuration()
    network.proxy = .none
    loader = CurlLoader(network)
    address = server.url
  }

  /// Gets what is at a path, and drops it.
  ///
  /// - Returns: How long it took, to the last byte; and how many there were.
  @discardableResult
  func get(_ path: String) async throws -> (time: Duration, byteCount: Int) {
    let start = ContinuousClock.now
    let answer = try await loader.load(DataRequest(url: address.appending(path: path)))
    var count = 0
    while let piece = try await answer.body.next() { count += piece.count }
    return (start.duration(to: .now), count)
  }
}
