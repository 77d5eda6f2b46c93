internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Limits how many requests each client makes in a second. A client that was quiet may make a burst of them.
///
/// A client is an IPv4 address, or the first 64 bits of an IPv6 address, because one user has all that follow.
package final class ClientRates: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private struct State {
    var buckets: [String: Bucket] = [:]
  }

  private let rate: Double
  private let burst: Double
  private let clientLimit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - rate: Requests in a second; greater than 0.
  ///   - burst: The largest number at once; at least 1.
  ///   - clientLimit: How many clients are remembered. Beyond it, those that could make a whole burst are forgotten, and
  ///     then all: an attacker with many addresses costs others no more than that.
  package init(rate: Double, burst: Double, clientLimit: Int = 65_536) {
    (self.rate, self.burst, self.clientLimit) = (rate, max(1, burst), max(1, clientLimit))
  }

  /// Counts a request.
  ///
  /// - Returns: `nil` if it is within the limit, else the seconds until the next one is.
  package func delay(for client: String, now: ContinuousClock.Instant = .now) -> Int? {
    state.withLock { state in
      if state.buckets[client] == nil, state.buckets.count >= clientLimit {
        state.buckets = state.buckets.filter { refilled($0.value, now) < burst }
        if state.buckets.count >= clientLimit { state.buckets = [:] }
      }
      var bucket = state.buckets[client] ?? Bucket(tokens: burst, time: now)
      bucket = Bucket(tokens: refilled(bucket, now), time: now)
      defer { state.buckets[client] = bucket }
      guard bucket.tokens >= 1 else {
        let seconds = ((1 - bucket.tokens) / rate).rounded(.up)
        return Int(min(max(1, seconds), Double(Int32.max)))
      }
      bucket.tokens -= 1
      return nil
    }
  }

  private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.tokens + (now - bucket.time) / .seconds(1) * rate)
  }

  /// What is counted as one client; `nil` for a text that is no address, with or without a port.
  package static func client(_ text: String) -> String? {
    let address = withoutPort(text)
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 { return address }
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
    // An IPv4 address that arrived over IPv6.
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255 {
      return bytes[12...].map { String($0) }.joined(separator: ".")
    }
    return stride(from: 0, to: 8, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
      .joined(separator: ":") + "::/64"
  }

  /// Some proxies add the port of a client, and brackets around an IPv6 address.
  private static func withoutPort(_ text: String) -> String {
    if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }
}
