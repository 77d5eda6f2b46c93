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
  package mutating func reached(at now: MonotonicInstant) {
    (reachedAt, failureCount) = (now, 0)
  }

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
