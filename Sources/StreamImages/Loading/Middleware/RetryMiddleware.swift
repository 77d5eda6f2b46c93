public import Dispatch
internal import Foundation
public import Streams
public import StreamsFoundation

/// Asks again when loading failed for a reason that may pass.
///
/// What a server says in `Retry-After` counts, if it is longer than the backoff. A body that breaks off goes on where it
/// was, if the other answer has the same strong entity tag: what was handed out cannot be taken back. Around a
/// ``ResumableLoader`` only the rest is loaded. Requests that change something each time they are made are not repeated,
/// unless they did not reach the server.
public struct RetryMiddleware: DataLoadingMiddleware {
  /// How long to wait before asking again.
  public enum Backoff: Sendable {
    /// The same time before each.
    case constant(Duration)
    /// So much longer each time.
    case linear(Duration)
    /// So many times longer each time, up to a longest.
    case exponential(first: Duration, factor: Double = 2, maximum: Duration = .seconds(30))
    /// What a closure says for each; `retry` is 1 before the first. Less than nothing counts as nothing.
    case custom(@Sendable (_ retry: Int) -> Duration)
  }

  private let maximumRetryCount: Int
  private let backoff: Backoff
  private let jitter: Double
  private let maximumRetryAfter: Duration
  private let scheduler: AnySchedulerOf<DispatchQueue>
  private let isWorthwhile: @Sendable (DataLoadingError) -> Bool

  /// One that asks again.
  ///
  /// - Parameters:
  ///   - maximumRetryCount: How often it is asked again, after the first time. With 0 it never is.
  ///   - backoff: How long to wait before each time. By default half a second, then twice as long, up to 30 seconds.
  ///   - jitter: How much of a wait is left to chance, 0 to 1, so that not all who failed together come back together.
  ///   - maximumRetryAfter: A server that wants to be left alone for longer is not asked again.
  ///   - scheduler: What measures the waits; a virtual one in tests.
  ///   - isWorthwhile: ``DataLoadingError/isTransient`` by default. Cancelled loads are never repeated.
  public init(
    maximumRetryCount: Int = 3, backoff: Backoff = .exponential(first: .milliseconds(500)),
    jitter: Double = 0.2,
    maximumRetryAfter: Duration = .seconds(60), scheduler: AnySchedulerOf<DispatchQueue> = .global(),
    isWorthwhile: @escaping @Sendable (DataLoadingError) -> Bool = { $0.isTransient }
  ) {
    self.maximumRetryCount = maximumRetryCount
    self.backoff = backoff
    self.jitter = min(max(jitter, 0), 1)
    self.maximumRetryAfter = maximumRetryAfter
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

  /// - Returns: False if the request is not to be repeated.
  private func pause(
    before retry: Int, _ request: DataRequest, _ error: DataLoadingError
  ) async throws(DataLoadingError) -> Bool {
    guard retry <= maximumRetryCount, !error.isCancellation, isWorthwhile(error),
      request.method.isIdempotent || error.cameBeforeTheServer, let wait = wait(before: retry, error)
    else { return false }
    await scheduler.pause(for: wait)
    if Task.isCancelled { throw .cancelled }
    return true
  }

  /// `nil` if it would be too long.
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
    case .linear(let duration): wait = duration * retry
    case .exponential(let first, let factor, let maximum):
      let times = pow(max(1, factor), Double(retry - 1))
      // Beyond that, the product of two numbers might be none.
      wait = times > 1e9 ? maximum : min(maximum, first * times)
    case .custom(let wait): return max(.zero, wait(retry))
    }
    return max(.zero, wait)
  }
}

extension DataLoadingError {
  /// Whether nothing of the request was sent.
  fileprivate var cameBeforeTheServer: Bool {
    switch self {
    case .cannotResolve, .cannotConnect, .timedOut(.connect), .connectionLost(.connect, _): true
    default: false
    }
  }
}

extension LoadedHead {
  /// For how long the server wants not to be asked: seconds, or a time, compared with its own clock if it says it.
  var retryAfter: Duration? {
    guard let text = headers["Retry-After"].map(trimmed), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int(text) ?? .max, 1 << 31))
    }
    let now = wallClock() / 1_000_000_000
    guard let time = HTTPTime.seconds(text, now: now) else { return nil }
    let present = headers["Date"].flatMap { HTTPTime.seconds($0, now: now) } ?? now
    return .seconds(max(0, time - present))
  }
}
