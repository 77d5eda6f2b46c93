public import Streams

/// When, and how often, to try again.
public struct RetryPolicy: Sendable {
  /// How many times after the first.
  public var maximumRetries: Int

  /// Before the first retry.
  public var initialDelay: Duration

  /// How many times longer each wait is than the one before.
  public var multiplier: Double

  /// No wait is longer.
  public var maximumDelay: Duration

  /// How much of each wait is left to chance, from 0 to 1, so that not all come back at the same moment. Of 1 all is.
  public var jitter: Double

  /// Whether a failure is worth another try. By default, those that may pass: the network, a busy server.
  public var isWorthRetrying: @Sendable (ImagePipeline.Error) -> Bool = { $0.isTransient }

  /// A number from 0 to 1.
  public var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// So many retries, each later than the one before by `multiplier`.
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

  /// How long to wait before a retry; the first is 0.
  public func delay(before retry: Int) -> Duration {
    let longest = maximumDelay / .seconds(1)
    let factor = (0..<max(0, retry)).reduce(1.0) { factor, _ in min(factor * max(1, multiplier), 1e9) }
    let whole = min(max(0, initialDelay / .seconds(1)) * factor, max(0, longest))
    let share = min(max(jitter, 0), 1)
    return .seconds(whole * (1 - share) + whole * share * min(max(chance(), 0), 1))
  }

  /// How long the server asks us to wait, if it does.
  static func serverDelay(_ error: ImagePipeline.Error) -> Duration? {
    guard case .dataLoadingFailed(.status(_, let head)) = error, let text = head.headers["Retry-After"],
      let seconds = Int(text), seconds >= 0
    else { return nil }
    return .seconds(seconds)
  }
}

extension Publisher where Failure == ImagePipeline.Error {
  /// Subscribes again after failures that may pass.
  ///
  /// Waits longer each time, or as long as the server says (`Retry-After`), but never above the policy's longest.
  /// Failures that do not pass, of decoding for example, are passed on at once, and so is the last. Cancelling while it
  /// waits ends it.
  @_disfavoredOverload
  public func retryImage<Context: Scheduler>(
    _ policy: RetryPolicy = RetryPolicy(), on scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    retried(policy, number: 0, on: scheduler)
  }

  private func retried<Context: Scheduler>(
    _ policy: RetryPolicy, number: Int, on scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    self.catch { error -> AnyPublisher<Output, Failure> in
      guard number < policy.maximumRetries, policy.isWorthRetrying(error) else {
        return Fail(error: error).eraseToAnyPublisher()
      }
      let delay =
        RetryPolicy.serverDelay(error).map { Swift.min($0, policy.maximumDelay) }
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
