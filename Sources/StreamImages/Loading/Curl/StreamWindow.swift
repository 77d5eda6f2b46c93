/// How many loads may share the connections to an origin: about as many as the link completes in two seconds.
///
/// There is no limit until loads starve: until they wait while others are received. Then each further load would only
/// delay all of them, and over a slow link all would run into their time limits. Two seconds of data fill every link up to
/// a round trip of two seconds.
package struct StreamWindow: Equatable {
  /// What arrived between two looks at the connections.
  package struct Sample: Equatable {
    package var byteCount: Int
    /// The sum and the number of the bodies whose length was announced.
    package var announcedByteCount: Int
    package var announcementCount: Int
    /// The shortest time from a request to its response.
    package var roundTrip: Duration?

    package init(
      byteCount: Int = 0, announcedByteCount: Int = 0, announcementCount: Int = 0, roundTrip: Duration? = nil
    ) {
      self.byteCount = byteCount
      self.announcedByteCount = announcedByteCount
      self.announcementCount = announcementCount
      self.roundTrip = roundTrip
    }

    package static func += (left: inout Sample, right: Sample) {
      left.byteCount += right.byteCount
      left.announcedByteCount += right.announcedByteCount
      left.announcementCount += right.announcementCount
      left.roundTrip = [left.roundTrip, right.roundTrip].compactMap(\.self).min()
    }
  }

  package init() {}

  private static let minimum = 2
  /// With less to come, nothing starves for long.
  private static let longest = 3.0

  /// `nil` for no limit.
  package private(set) var limit: Int?
  private var roundTrip = Duration.zero
  /// Both fade within seconds, so that their ratio is the present rate.
  private var (byteCount, seconds) = (0.0, 0.0)
  private var (announced, announcements) = (0.0, 0.0)
  private var previousRate = 0.0
  private var loadsPerSecond = 0.0

  /// How long to wait between two looks, and for a body before its load starves: a round trip, within bounds. Over a slow
  /// link, responses wait for others, and seem to take longer.
  package var patience: Duration { max(.milliseconds(250), min(roundTrip, .seconds(1))) }

  /// Two seconds, or twice the time that the server takes: as many as it works on at a time are complete in that.
  private var horizon: Double { max(2, 2 * (roundTrip / .seconds(1))) }

  /// - Parameters:
  ///   - starvingCount: The loads whose bodies wait for others.
  ///   - streamCount: All loads whose requests were sent.
  package mutating func take(
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
    guard announced > 0, rate > 0 else { return }
    loadsPerSecond = rate * announcements / announced
    if limit == nil {
      guard starvingCount > 0, !isGrowing, streamCount > count(in: Self.longest) else { return }
    }
    let fitting = count(in: horizon)
    limit = fitting < maximum ? fitting : nil
  }

  /// How many loads the link completes in so many seconds.
  package func count(in seconds: Double) -> Int {
    max(Self.minimum, Int(min(1e6, (loadsPerSecond * seconds).rounded(.up))))
  }
}
