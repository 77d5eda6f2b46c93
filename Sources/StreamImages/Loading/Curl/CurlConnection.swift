/// What is known about a connection that requests were sent on. Confined to the loop's thread.
package final class CurlConnection {
  /// Its number in the session.
  let number: Int64
  package let origin: Origin
  /// The number of loads whose requests were sent on it and have not ended.
  @exclusivity(unchecked) package var streamCount = 0 {
    didSet { if oldValue == 0 { busySince = .now } }
  }
  /// When it had no load the last time.
  @exclusivity(unchecked) package private(set) var busySince: MonotonicInstant
  /// When the last bytes of a response arrived. Frames that belong to none do not count.
  @exclusivity(unchecked) package private(set) var deliveredAt: MonotonicInstant
  @exclusivity(unchecked) package private(set) var hasDelivered = false
  /// Whether its last response was one of HTTP/2.
  @exclusivity(unchecked) package var speaksHTTP2 = false
  /// When anything arrived, as far as the system was asked: also what belongs to responses that were given up.
  @exclusivity(unchecked) package var heardAt: MonotonicInstant
  /// What has arrived since it was looked at: bytes, announced sizes, and the shortest time to a response.
  @exclusivity(unchecked) private var news = StreamWindow.Sample()

  package init(_ number: Int64, to origin: Origin) {
    self.number = number
    self.origin = origin
    deliveredAt = .now
    (heardAt, busySince) = (deliveredAt, deliveredAt)
  }

  package func deliver(_ count: Int, at now: MonotonicInstant) {
    (deliveredAt, hasDelivered) = (now, true)
    news.byteCount += count
  }

  package func announce(_ byteCount: Int?, after roundTrip: Duration) {
    news.roundTrip = min(news.roundTrip ?? roundTrip, roundTrip)
    guard let byteCount else { return }
    news.announcedByteCount += byteCount
    news.announcementCount += 1
  }

  package func takeNews() -> StreamWindow.Sample {
    defer { news = StreamWindow.Sample() }
    return news
  }

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
