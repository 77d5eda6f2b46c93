/// What is known about a connection that requests were sent on. Confined to the loop's thread.
package final class CurlConnection {
  /// Its number in the session.
  let number: Int64
  /// The number of loads whose requests were sent on it and have not ended.
  @exclusivity(unchecked) package var streamCount = 0
  /// When the last bytes of a response arrived. Frames that belong to none do not count.
  @exclusivity(unchecked) package private(set) var deliveredAt = MonotonicInstant.now
  @exclusivity(unchecked) package private(set) var hasDelivered = false
  /// When anything arrived, as far as the system was asked: also what belongs to responses that were given up.
  @exclusivity(unchecked) package var heardAt: MonotonicInstant

  package init(_ number: Int64) {
    self.number = number
    heardAt = deliveredAt
  }

  package func deliver(at now: MonotonicInstant) { (deliveredAt, hasDelivered) = (now, true) }

  /// Until when a load waits that has received nothing since a moment.
  ///
  /// Bytes for one load show that the connection is alive for all that share it: over a slow link, they take turns.
  /// Bytes for none of them do so for a while, because a server may send nothing else for ever: parts of a TLS record, or
  /// responses that were given up.
  package func deadline(from since: MonotonicInstant, _ timeout: Duration) -> MonotonicInstant {
    let delivered = max(since, deliveredAt)
    return max(delivered, min(heardAt, delivered + timeout * 2)) + timeout
  }
}

/// What an origin has shown: whether it responds, and over which version.
package struct OriginRecord {
  package init() {}

  /// Whether it has responded over HTTP/2; `nil` if it has not responded.
  var speaksHTTP2: Bool?
  private var reachedAt: MonotonicInstant?
  private var failedAt: MonotonicInstant?
  private var failureCount = 0

  /// Connections failed so often, one after the other, to a host that was reached before.
  private static let patience = 3

  package var wasReached: Bool { reachedAt != nil }

  /// A connection was made.
  package mutating func reached(at now: MonotonicInstant) { (reachedAt, failureCount) = (now, 0) }

  /// A connection could not be made. Attempts at the same time count once.
  ///
  /// - Returns: Whether further attempts would probably fail, too: a host that was never reached is dead at once, and
  ///   another after three attempts in a row.
  package mutating func failed(since beganAt: MonotonicInstant, at now: MonotonicInstant) -> Bool {
    if let reachedAt, reachedAt >= beganAt { return false }
    if failedAt.map({ beganAt >= $0 }) ?? true {
      failureCount += 1
      failedAt = now
    }
    return reachedAt == nil || failureCount >= Self.patience
  }
}
