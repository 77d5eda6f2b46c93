internal import Foundation
public import Streams

/// How often to retry a load, and after which delay. A negative delay counts as zero, and one above a century as that.
public struct ImageRetryPolicy: Sendable {
  /// The largest number of retries. 0 or less disables them.
  public var maximumRetries: Int

  /// The delay before the first retry, without ``jitter``.
  public var initialDelay: Duration

  /// The factor by which each delay is longer than the one before, without ``jitter``; at least 1.
  public var multiplier: Double

  /// The longest delay.
  public var maximumDelay: Duration

  /// The random share of each delay, from 0 to 1, so that requests that failed together are not retried together.
  public var jitter: Double

  /// Whether to retry after a failure. ``ImagePipeline/Error/isTransient`` by default.
  public var isWorthRetrying: @Sendable (ImagePipeline.Error) -> Bool = { $0.isTransient }

  /// Returns a random number from 0 to 1.
  public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// Creates a policy.
  public init(
    maximumRetries: Int = 3, initialDelay: Duration = .seconds(1), multiplier: Double = 2,
    maximumDelay: Duration = .seconds(16), jitter: Double = 1
  ) {
    self.maximumRetries = maximumRetries
    self.initialDelay = initialDelay
    self.multiplier = multiplier
    self.maximumDelay = maximumDelay
    self.jitter = jitter
  }

  /// Returns the delay before a retry. The first retry is 0.
  public func delay(before retry: Int) -> Duration {
    let factor = min(pow(max(1, multiplier), Double(max(0, retry))), 1e9)
    let whole = min(initialDelay.bounded / .seconds(1) * factor, maximumDelay.bounded / .seconds(1))
    // In this order, NaN becomes zero.
    let share = min(max(0, jitter), 1)
    return .seconds(whole * (1 - share) + whole * share * min(max(0, chance()), 1))
  }

  /// The delay that the server requests, if any.
  static func serverDelay(_ error: ImagePipeline.Error) -> Duration? {
    guard case .dataLoadingFailed(.status(_, let head)) = error, let text = head.headers["Retry-After"],
      let seconds = Int(digits: text.utf8)
    else { return nil }
    return .seconds(seconds)
  }
}

extension Publisher where Failure == ImagePipeline.Error {
  /// Subscribes again after a failure that is worth retrying.
  ///
  /// Waits for the delay of the policy, or for the seconds that the server requests in `Retry-After`, but never longer
  /// than the policy's maximum. Other failures are sent at once, and so is the last one.
  @_disfavoredOverload
  public func retryImage<Context: Scheduler>(
    _ policy: ImageRetryPolicy = ImageRetryPolicy(), on scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    retried(policy, number: 0, on: scheduler)
  }

  private func retried<Context: Scheduler>(
    _ policy: ImageRetryPolicy, number: Int, on scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    self.catch { error -> AnyPublisher<Output, Failure> in
      guard number < policy.maximumRetries, policy.isWorthRetrying(error) else {
        return Fail(error: error).eraseToAnyPublisher()
      }
      let delay =
        ImageRetryPolicy.serverDelay(error).map { Swift.min($0, policy.maximumDelay.bounded) }
        ?? policy.delay(before: number)
      return Just(())
        .delay(for: .seconds(delay / .seconds(1)), scheduler: scheduler)
        .setFailureType(to: Failure.self)
        .flatMap { self.retried(policy, number: number + 1, on: scheduler) }
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}
