internal import NIOCore
internal import Synchronization

/// Limits how many requests each client makes in a second. A client that was quiet may make a burst of them.
///
/// A client is an IPv4 address, or the first 64 bits of an IPv6 address, because one user has all that follow.
final class ClientRates: Sendable {
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
  init(rate: Double, burst: Double, clientLimit: Int = 65_536) {
    (self.rate, self.burst, self.clientLimit) = (rate, max(1, burst), max(1, clientLimit))
  }

  /// Counts a request.
  ///
  /// - Returns: `nil` if it is within the limit, else the seconds until the next one is.
  func delay(for client: String, now: ContinuousClock.Instant = .now) -> Int? {
    state.withLock { state in
      if state.buckets[client] == nil, state.buckets.count >= clientLimit {
        state.buckets = state.buckets.filter { refilled($0.value, now) < burst }
        if state.buckets.count >= clientLimit { state.buckets = [:] }
      }
      var bucket = state.buckets[client] ?? Bucket(tokens: burst, time: now)
      bucket = Bucket(tokens: refilled(bucket, now), time: now)
      defer { state.buckets[client] = bucket }
      guard bucket.tokens >= 1 else { return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up))) }
      bucket.tokens -= 1
      return nil
    }
  }

  private func refilled(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(burst, bucket.tokens + (now - bucket.time) / .seconds(1) * rate)
  }

  /// What is counted as one client; `nil` for a text that is no address.
  static func client(_ address: String) -> String? {
    guard let address = try? SocketAddress(ipAddress: address, port: 0) else { return nil }
    return client(address)
  }

  static func client(_ address: SocketAddress) -> String? {
    guard case .v6(let address) = address else { return address.ipAddress }
    return withUnsafeBytes(of: address.address.sin6_addr) { bytes in
      // An IPv4 address that arrived over IPv6.
      if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 255, bytes[11] == 255 {
        return bytes.suffix(4).map(String.init).joined(separator: ".")
      }
      return bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
