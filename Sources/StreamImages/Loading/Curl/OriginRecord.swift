/// What the loader has learned about an origin.
package struct OriginRecord {
  package init() {}

  /// Whether it has responded over HTTP/2; `nil` if it has not responded.
  var speaksHTTP2: Bool?
  /// How many loads fit on all connections that the server allows, once that is known.
  var serverLimit: Int?
  var window = StreamWindow()
  /// When the connections were looked at for ``window``.
  var lookedAt: MonotonicInstant?

  private var reachedAt: MonotonicInstant?
  private var failedAt: MonotonicInstant?
  private var failureCount = 0

  /// Connections failed so often, one after the other, to a host that was reached before.
  private static let patience = 3

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
    if failureCount == 0 || failedAt.map({ beganAt >= $0 }) ?? true {
      failureCount += 1
      failedAt = now
    }
    return failureCount >= (reachedAt == nil ? 1 : Self.patience)
  }
}
