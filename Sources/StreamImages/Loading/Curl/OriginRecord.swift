/// What the loader has learned about an origin.
package struct OriginRecord {
  package init() {}

  /// Whether it has responded over HTTP/2; `nil` if it has not responded.
  var speaksHTTP2: Bool?
  /// How many loads fit on all connections to it, once it is known how many the server allows on one.
  var serverLimit: Int?
  package private(set) var window = StreamWindow()
  /// When something had arrived, as seen by the last look at the connections.
  private var lookedAt: MonotonicInstant?

  private var reachedAt: MonotonicInstant?
  private var failedAt: MonotonicInstant?
  private var failureCount = 0

  /// Connections failed so often, one after the other, to a host that was reached before.
  private static let patience = 3

  /// Whether it is time to look at the connections again.
  package func mayLook(at now: MonotonicInstant) -> Bool {
    lookedAt.map { $0 + window.patience <= now } ?? true
  }

  /// Adjusts the window by what has arrived on the connections.
  ///
  /// - Parameter busySince: When they had no load the last time.
  package mutating func look(
    at sample: StreamWindow.Sample, at now: MonotonicInstant, busySince: MonotonicInstant,
    starvingCount: Int, streamCount: Int, maximum: Int
  ) {
    // Silence counts to the next sample, because a slow link delivers in bursts: a TLS record at a time.
    guard sample.byteCount > 0 || lookedAt == nil else { return }
    let since = max(lookedAt ?? now, busySince)
    lookedAt = now
    guard since < now else { return }
    window.take(
      sample, over: since.duration(to: now), starvingCount: starvingCount, streamCount: streamCount,
      maximum: maximum)
  }

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
