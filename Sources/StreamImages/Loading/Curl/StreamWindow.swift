/// How many loads may share the connections to an origin: as many as the link completes in two seconds.
///
/// There is no limit until loads starve: until responses are there whose bodies wait for those of others. Then each
/// further load would only delay all of them, and over a slow link all would run into their time limits. Two seconds of
/// data fill every link up to a round trip of two seconds.
struct StreamWindow: Equatable {
  /// What arrived between two looks at the connections.
  struct Sample: Equatable {
    var byteCount = 0
    /// The sum and the number of the bodies whose length was announced.
    var announcedByteCount = 0
    var announcementCount = 0
    /// The shortest time from a request to its response.
    var roundTrip: Duration?

    static func += (left: inout Sample, right: Sample) {
      left.byteCount += right.byteCount
      left.announcedByteCount += right.announcedByteCount
      left.announcementCount += right.announcementCount
      left.roundTrip = [left.roundTrip, right.roundTrip].compactMap(\.self).min()
    }
  }

  private static let minimum = 2
  private static let horizon = 2.0
  /// With less to come, nothing starves for long.
  private static let longest = 3.0

  /// `nil` as long as nothing starves.
  private(set) var limit: Int?
  private var roundTrip = Duration.zero
  /// Both fade, with a half-life of two seconds, so that their ratio is the present rate.
  private var (byteCount, seconds) = (0.0, 0.0)
  private var (announced, announcements) = (0.0, 0.0)
  private var previousRate = 0.0

  /// How long to wait between two looks, and for a body before its load starves.
  var patience: Duration { max(.milliseconds(250), roundTrip) }

  /// - Parameters:
  ///   - starvingCount: The loads whose bodies wait for others.
  ///   - streamCount: All loads whose requests were sent.
  mutating func take(
    _ sample: Sample, over time: Duration, starvingCount: Int, streamCount: Int, maximum: Int
  ) {
    if let measured = sample.roundTrip {
      roundTrip = roundTrip == .zero ? measured : min(roundTrip, measured)
    }
    announced = announced * 0.9 + Double(sample.announcedByteCount)
    announcements = announcements * 0.9 + Double(sample.announcementCount)
    let elapsed = max(1e-3, time / .seconds(1))
    let rest = 1 / (1 + elapsed / 2)
    (byteCount, seconds) = (byteCount * rest + Double(sample.byteCount), seconds * rest + elapsed)
    let latest = Double(sample.byteCount) / elapsed
    let rate = max(byteCount / seconds, latest)
    // A connection that still becomes faster has not filled its link.
    let isGrowing = latest > previousRate * 1.25
    previousRate = latest
    guard announcements > 0, announced > 0, rate > 0 else { return }
    let size = announced / announcements
    let fitting = max(Self.minimum, Int(min(1e6, (rate * Self.horizon / size).rounded(.up))))
    if limit == nil {
      guard starvingCount > 0, !isGrowing, Double(streamCount) * size > rate * Self.longest else { return }
    }
    limit = fitting < maximum ? fitting : nil
  }
}
