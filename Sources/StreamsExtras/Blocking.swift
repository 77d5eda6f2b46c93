internal import Dispatch

extension Publisher where Output: Sendable {
  /// Waits for values on the calling thread. For command line tools and tests.
  ///
  /// ```swift
  /// let page = try download(url).blocking(timeout: .seconds(10)).single()
  /// ```
  ///
  /// The thread is blocked meanwhile. If the values need this thread – the one of their run loop, or one of Swift
  /// concurrency – the call ends only with its timeout. In asynchronous code, use `values`.
  ///
  /// - Parameter timeout: How long to wait in total; for ever if `nil`.
  @_disfavoredOverload
  public func blocking(timeout: Duration? = nil) -> Blocking<Self> { Blocking(self, timeout: timeout) }
}

/// The reason why ``Blocking`` returns no value.
public enum BlockingError<Failure: Error>: Error {
  /// The call timed out.
  case timedOut
  /// The publisher has failed.
  case failed(Failure)
  /// There was not exactly one value. `count` is 2 for any greater number.
  case notSingle(count: Int)
}

extension BlockingError: Equatable where Failure: Equatable {}

/// Waits for the values of a publisher on the calling thread. Each call subscribes again.
public struct Blocking<Upstream: Publisher> where Upstream.Output: Sendable {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let timeout: Duration?

  init(_ upstream: Upstream, timeout: Duration?) {
    self.upstream = upstream
    self.timeout = timeout
  }

  /// The first value, after which the subscription is cancelled; `nil` if the publisher finishes without one.
  public func first() throws(BlockingError<Failure>) -> Output? {
    try wait(for: upstream.first()).first
  }

  /// The last value; `nil` if there was none.
  public func last() throws(BlockingError<Failure>) -> Output? { try wait(for: upstream.last()).first }

  /// The only value. Throws if there is none, or more than one.
  public func single() throws(BlockingError<Failure>) -> Output {
    let values = try wait(for: upstream.prefix(2))
    guard values.count == 1 else { throw .notSingle(count: values.count) }
    return values[0]
  }

  /// All values.
  public func toArray() throws(BlockingError<Failure>) -> [Output] { try wait(for: upstream) }

  /// The values, and the completion; `nil` if the call timed out first.
  public func materialize() -> (values: [Output], completion: Subscribers.Completion<Failure>?) {
    collect(upstream)
  }

  private func wait<Source: Publisher>(for source: Source) throws(BlockingError<Failure>) -> [Output]
  where Source.Output == Output, Source.Failure == Failure {
    let (values, completion) = collect(source)
    switch completion {
    case .finished: return values
    case .failure(let error): throw .failed(error)
    case nil: throw .timedOut
    }
  }

  private func collect<Source: Publisher>(
    _ source: Source
  ) -> (values: [Output], completion: Subscribers.Completion<Failure>?)
  where Source.Output == Output, Source.Failure == Failure {
    let (seen, end) = (Seen<Output, Failure>(), DispatchSemaphore(value: 0))
    let sink = source.sink { completion in
      seen.state.withLock { $0.completion = completion }
      end.signal()
    } receiveValue: { value in
      seen.state.withLock { $0.values.append(value) }
    }
    _ = end.wait(timeout: timeout.map { .now() + .nanoseconds($0.wholeNanoseconds) } ?? .distantFuture)
    sink.cancel()
    return seen.state.withLock { ($0.values, $0.completion) }
  }
}

private final class Seen<Output, Failure: Error> {
  let state = Guarded((values: [Output](), completion: Subscribers.Completion<Failure>?.none))
}

extension Duration {
  /// Clamped to what Dispatch can wait for.
  fileprivate var wholeNanoseconds: Int {
    let (seconds, attoseconds) = components
    let nanoseconds = Int(clamping: seconds).times(unit: 1_000_000_000).plus(Int(attoseconds / 1_000_000_000))
    return Swift.max(0, nanoseconds)
  }
}
