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
