internal import Synchronization

/// Limits how many requests wait for one host, so that a slow host does not occupy the server.
final class HostShares: Sendable {
  private let limit: Int
  private let counts = Mutex<[String: Int]>([:])

  init(limit: Int) { self.limit = limit }

  func hold<Value>(_ host: String, _ body: () async throws(Refusal) -> Value) async throws(Refusal) -> Value {
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
