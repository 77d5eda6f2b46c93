public import Dispatch
internal import Foundation
internal import Streams
public import StreamsExtras
public import StreamsFoundation
public import StreamsFoundationExtras

/// Retries loads that failed for a transient reason.
///
/// If the server sends `Retry-After`, the longer of that and the backoff is used. A body that breaks off continues
/// where it stopped if the new response has the same strong entity tag and, after redirects, the same URL; only the
/// query may differ, as it does if URLs are signed. Before the first byte, it is enough that the entity tags are equal or
/// both missing. Around a ``ResumableLoader``, only the rest is loaded. Requests that are not idempotent are retried only
/// if they did not reach the server.
public struct RetryMiddleware: DataLoadingMiddleware {
  /// The time to wait before a retry. A negative time counts as zero, and one above a century as that.
  public enum Backoff: Sendable {
    /// The same time before each retry.
    case constant(Duration)
    /// This much longer before each retry.
    case linear(Duration)
    /// `factor` times longer before each retry, up to `maximum`.
    case exponential(first: Duration, factor: Double = 2, maximum: Duration = .seconds(30))
    /// The time that a closure returns. `retry` is 1 for the first retry.
    case custom(@Sendable (_ retry: Int) -> Duration)
  }

  private let maximumRetryCount: Int
  private let backoff: Backoff
  private let jitter: Double
  private let maximumRetryAfter: Duration
  private let scheduler: AnySchedulerOf<DispatchQueue>
  private let isWorthwhile: @Sendable (DataLoadingError) -> Bool

  /// Creates a middleware that retries.
  ///
  /// - Parameters:
  ///   - maximumRetryCount: The largest number of retries. 0 or less disables them.
  ///   - backoff: The time to wait before each retry. By default half a second, doubled each time, up to 30 seconds.
  ///   - jitter: The random share of each wait, from 0 to 1, so that requests that failed together are not retried
  ///     together.
  ///   - maximumRetryAfter: The longest wait that the server may request. If it requests more, the load is not
  ///     retried.
  ///   - scheduler: Measures the waits. Use a virtual one in tests.
  ///   - isWorthwhile: Decides whether to retry after an error. ``DataLoadingError/isTransient`` by default. Cancelled
  ///     loads are never retried.
  public init(
    maximumRetryCount: Int = 3, backoff: Backoff = .exponential(first: .milliseconds(500)),
    jitter: Double = 0.2,
    maximumRetryAfter: Duration = .seconds(60), scheduler: AnySchedulerOf<DispatchQueue> = .global(),
    isWorthwhile: @escaping @Sendable (DataLoadingError) -> Bool = { $0.isTransient }
  ) {
    self.maximumRetryCount = maximumRetryCount
    self.backoff = backoff
    self.jitter = min(max(0, jitter), 1)  // in this order, NaN becomes zero
    self.maximumRetryAfter = maximumRetryAfter.bounded
    self.scheduler = scheduler
    self.isWorthwhile = isWorthwhile
  }

  public func load(
    _ request: DataRequest, limits: LoadLimits, next: any DataLoading
  ) async throws(DataLoadingError) -> LoadedData {
    let (loaded, retry) = try await load(request, limits, next, after: 0)
    guard request.method == .get, request.headers["Range"] == nil else { return loaded }
    let body = RetriedChunks(loaded, retry: retry) { error, retry throws(DataLoadingError) in
      guard try await pause(before: retry, request, error) else { return nil }
      return try await load(request, limits, next, after: retry).loaded
    }
    return LoadedData(head: loaded.head, body: body)
  }

  private func load(
    _ request: DataRequest, _ limits: LoadLimits, _ next: any DataLoading, after retries: Int
  ) async throws(DataLoadingError) -> (loaded: LoadedData, retries: Int) {
    var retries = retries
    while true {
      do throws(DataLoadingError) { return (try await next.load(request, limits: limits), retries) } catch {
        retries += 1
        guard try await pause(before: retries, request, error) else { throw error }
      }
    }
  }

  /// - Returns: False if the request must not be retried.
  private func pause(
    before retry: Int, _ request: DataRequest, _ error: DataLoadingError
  ) async throws(DataLoadingError) -> Bool {
    guard retry <= maximumRetryCount, !error.isCancellation, isWorthwhile(error),
      request.method.isIdempotent || error.cameBeforeTheServer, let wait = wait(before: retry, error)
    else { return false }
    do throws(ImagePipeline.Error) { try await LoadTurn.waiting { await scheduler.pause(for: wait) } } catch {
      throw .cancelled
    }
    if Task.isCancelled { throw .cancelled }
    return true
  }

  /// Returns `nil` if the wait would be too long.
  private func wait(before retry: Int, _ error: DataLoadingError) -> Duration? {
    let planned = backoff.wait(before: retry) * (1 - jitter * Double.random(in: 0...1))
    guard case .status(_, let head) = error, let wanted = head.retryAfter else { return planned }
    return wanted > maximumRetryAfter ? nil : max(planned, wanted)
  }
}

extension RetryMiddleware.Backoff {
  fileprivate func wait(before retry: Int) -> Duration {
    let wait: Duration
    switch self {
    case .constant(let duration): wait = duration
    case .linear(let duration): wait = duration.bounded * retry
    case .exponential(let first, let factor, let maximum):
      let times = pow(max(1, factor), Double(retry - 1))
      // Above this, the product could be infinite.
      wait = times > 1e9 ? maximum : min(maximum, first.bounded * times)
    case .custom(let custom): wait = custom(retry)
    }
    return wait.bounded
  }
}

extension LoadedHead {
  /// The wait that the server requests: seconds, or a time that is compared with the server's own clock if it sends
  /// one.
  var retryAfter: Duration? {
    guard let text = headers["Retry-After"].map({ trimmed($0) }) else { return nil }
    if let seconds = Int(digits: text.utf8, clampedTo: 1 << 31) { return .seconds(seconds) }
    let now = wallClock() / 1_000_000_000
    guard let time = HTTPTime.seconds(text, now: now) else { return nil }
    let present = headers["Date"].flatMap { HTTPTime.seconds($0, now: now) } ?? now
    return .seconds(max(0, time - present))
  }
}

extension AnyScheduler where SchedulerTimeType == DispatchQueue.SchedulerTimeType {
  /// Waits in the time of this scheduler. Returns early if the task is cancelled.
  func pause(for duration: Duration) async {
    let (seconds, attoseconds) = duration.bounded.components
    let stride = SchedulerTimeType.Stride.seconds(Double(seconds) + Double(attoseconds) / 1e18)
    let pause = Promise<Void>()
    await pause.value(ifCancelled: ()) {
      schedule(after: now.advanced(by: stride), tolerance: .zero, options: nil) { pause.fulfil(()) }
    }
  }
}
