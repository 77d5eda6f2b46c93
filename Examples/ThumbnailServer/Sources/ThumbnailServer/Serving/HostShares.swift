package import Foundation
internal import Synchronization

/// Limits how many requests wait for one host, so that a slow host does not occupy the server.
package final class HostShares: Sendable {
  private let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  init(limit: Int) { self.limit = limit }

  /// The host of a URL and its port: the same for each way to write them. A host has one share for HTTP and HTTPS.
  package static func host(of url: URL) -> String {
    let host = (url.host(percentEncoded: false) ?? "").lowercased()
    let port = url.port.flatMap { [80, 443].contains($0) ? nil : $0 }
    return "\(host.hasSuffix(".") ? String(host.dropLast()) : host):\(port ?? 0)"
  }

  func hold<Value>(
    _ url: URL, _ body: () async throws(Refusal) -> Value
  ) async throws(Refusal) -> Value {
    let host = Self.host(of: url)
    let isFree = counts.withLock { counts in
      guard counts[host, default: 0] < limit else { return false }
      counts[host, default: 0] += 1
      return true
    }
    guard isFree else { throw .hostBusy }
    defer {
      counts.withLock { counts in
        let count = counts[host, default: 1] - 1
        counts[host] = count == 0 ? nil : count
      }
    }
    return try await body()
  }
}
