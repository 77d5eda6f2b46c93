/// What a ``NetworkRelay`` does to the bytes that pass through it.
package struct Link: Sendable {
  /// Each way, for all connections together. `nil` is unlimited.
  package var bytesPerSecond: Int?
  /// From one end to the other.
  package var delay: Duration
  /// By how much the delay of a piece may be longer or shorter.
  package var jitter: Duration
  /// The share of packets that are lost. What follows a lost packet on its connection waits until it is sent again.
  package var loss: Double

  package init(
    bytesPerSecond: Int? = nil, delay: Duration = .zero, jitter: Duration = .zero, loss: Double = 0
  ) {
    (self.bytesPerSecond, self.delay, self.jitter, self.loss) = (bytesPerSecond, delay, jitter, loss)
  }

  package init(kilobitsPerSecond: Int, roundTrip: Duration, jitter: Duration = .zero, loss: Double = 0) {
    self.init(
      bytesPerSecond: kilobitsPerSecond * 125, delay: roundTrip / 2, jitter: jitter, loss: loss)
  }

  /// Small enough that connections take turns, and large enough that a fast link is not held up by system calls.
  var pieceByteCount: Int {
    guard let bytesPerSecond else { return 16 << 10 }
    return min(16 << 10, max(512, bytesPerSecond / 50))
  }

  func transmission(of count: Int) -> Duration {
    bytesPerSecond.map { .nanoseconds(count * 1_000_000_000 / max(1, $0)) } ?? .zero
  }

  /// How much later than usual a piece arrives.
  func lateness(of count: Int) -> Duration {
    var late = jitter * Double.random(in: -1...1)
    for _ in 0..<(count / 1400 + 1) where Double.random(in: 0..<1) < loss {
      // Found by what arrives after it, or by the sender's timer.
      late += delay * 2 + (Double.random(in: 0..<1) < 0.2 ? .milliseconds(200) : .milliseconds(10))
    }
    return late
  }
}
