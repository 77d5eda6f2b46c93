/// The number of retries of ``Streams/Publisher/retry(_:scheduler:options:when:onRetry:)``, and the delay before each.
///
/// ```swift
/// let policy = RetryPolicy.backoff(retries: 5, from: .milliseconds(100), upTo: .seconds(10))
/// ```
public struct RetryPolicy: Sendable {
  /// The number of attempts after the first.
  public var retries: Int

  /// The shortest delay. Before jitter, it is the delay before the first retry.
  public var minimum: Duration
  /// The longest delay, whatever the factor and the jitter, if it is not shorter than ``minimum``.
  public var maximum: Duration

  /// The factor from one delay to the next, before jitter and limits.
  public var factor: Double

  /// The fraction by which a delay is shortened or extended at random. 0.5 gives a half to one and a half.
  ///
  /// The delay is drawn from the part of these that lies between ``minimum`` and ``maximum``, with the same chance for each.
  public var jitter: Double

  /// Whether a value resets the count, so that only consecutive failures count.
  public var resetsOnOutput: Bool

  /// Returns a random number from 0 to 1. Replace it in tests.
  public var random: @Sendable () -> Double

  /// Creates a policy. Negative numbers count as zero.
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

  /// Creates a policy with the same delay before each retry.
  public static func constant(retries: Int, _ delay: Duration) -> RetryPolicy {
    RetryPolicy(retries: retries, minimum: delay, maximum: delay, factor: 1, jitter: 0)
  }

  /// Creates a policy whose delay grows by `factor` with each retry, with a random variation of up to `jitter`.
  public static func backoff(
    retries: Int, from minimum: Duration, upTo maximum: Duration = .seconds(60), factor: Double = 2,
    jitter: Double = 0.5
  ) -> RetryPolicy {
    RetryPolicy(retries: retries, minimum: minimum, maximum: maximum, factor: factor, jitter: jitter)
  }

  /// Returns the delay before a retry, in seconds.
  ///
  /// - Parameter number: The number of the retry, counted from zero.
  public func delay(beforeRetry number: Int) -> Double {
    let least = Self.seconds(minimum)
    let most = Swift.max(least, Self.seconds(maximum))
    let longer = least == 0 ? 0 : least * Self.power(Swift.max(0, factor), Swift.max(0, number))
    let delay = Swift.min(longer, most)
    let spread = delay * Swift.max(0, jitter)
    // Narrowed before the draw: afterwards, half of all clients would retry at the very same limit.
    let low = Swift.max(delay - spread, least)
    let high = Swift.max(low, Swift.min(delay + spread, most))
    return low + (high - low) * random()
  }

  /// By squaring: in as many steps as `exponent` has binary digits.
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
