/// How often, and how long after a failure, `retry(_:scheduler:options:)` tries again.
///
/// ```swift
/// let policy = RetryPolicy.backoff(retries: 5, from: .milliseconds(100), upTo: .seconds(10))
/// ```
public struct RetryPolicy: Sendable {
  /// How many attempts there are after the first.
  public var retries: Int

  /// The time before the first retry, and the longest there is.
  public var minimum: Duration
  /// No wait is longer, whatever factor and chance make of it.
  public var maximum: Duration

  /// By how much each time is longer than the one before.
  public var factor: Double

  /// By how much of itself a time may be shorter or longer, by chance: 0.5 is from a half to one and a half. It stays
  /// between ``minimum`` and ``maximum``.
  public var jitter: Double

  /// Whether a value makes the count begin again: then only failures in a row are counted.
  public var resetsOnOutput: Bool

  /// A number from 0 to 1, by chance. For tests that want to know it.
  public var random: @Sendable () -> Double

  /// A policy of these figures. Negative ones count as zero.
  public init(
    retries: Int, minimum: Duration, maximum: Duration, factor: Double = 2, jitter: Double = 0.5,
    resetsOnOutput: Bool = false, random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.retries = retries
    self.minimum = minimum
    self.maximum = maximum
    self.factor = factor
    self.jitter = jitter
    self.resetsOnOutput = resetsOnOutput
    self.random = random
  }

  /// The same time before each retry.
  public static func constant(retries: Int, _ delay: Duration) -> RetryPolicy {
    RetryPolicy(retries: retries, minimum: delay, maximum: delay, factor: 1, jitter: 0)
  }

  /// A time that doubles with each retry, give or take a half.
  public static func backoff(
    retries: Int, from minimum: Duration, upTo maximum: Duration = .seconds(60), factor: Double = 2,
    jitter: Double = 0.5
  ) -> RetryPolicy {
    RetryPolicy(retries: retries, minimum: minimum, maximum: maximum, factor: factor, jitter: jitter)
  }

  /// How long to wait before a retry, in seconds.
  ///
  /// - Parameter number: Zero for the first.
  public func delay(beforeRetry number: Int) -> Double {
    let least = Self.seconds(minimum)
    let most = Swift.max(least, Self.seconds(maximum))
    let longer = least == 0 ? 0 : least * Self.power(Swift.max(0, factor), Swift.max(0, number))
    let delay = Swift.min(longer, most)
    let spread = delay * Swift.max(0, jitter) * (random() * 2 - 1)
    return Swift.min(Swift.max(delay + spread, least), most)
  }

  /// By squaring: in as many steps as `exponent` has digits.
  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }

  static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Swift.max(0, Double(seconds) + Double(attoseconds) * 1e-18)
  }
}
