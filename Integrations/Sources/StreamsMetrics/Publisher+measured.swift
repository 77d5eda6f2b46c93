public import CoreMetrics
public import Streams
internal import Synchronization

extension Publisher {
  /// Counts the values of each subscription, and measures how long it lasts.
  ///
  /// ```swift
  /// let answers = questions.asyncMap { await answer($0) }.measured(as: "answers")
  /// ```
  ///
  /// These metrics have the dimension `streams.name`:
  ///
  /// - `streams.subscriptions`, a counter of subscriptions.
  /// - `streams.values`, a counter of values.
  /// - `streams.first_value.duration`, a timer from the subscription to its first value.
  /// - `streams.subscription.duration`, a timer from the subscription to its end. Its dimension `streams.outcome` is
  ///   `finished`, `failed` or `cancelled`.
  ///
  /// All signals pass unchanged. A subscription that is released without being cancelled has no duration.
  ///
  /// - Parameters:
  ///   - name: The name of the chain. Use few different ones: each makes metrics of its own.
  ///   - dimensions: Further dimensions of all metrics.
  ///   - factory: Makes the metrics. By default, the factory of the process.
  @_disfavoredOverload
  public func measured(
    as name: String, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
  ) -> some Publisher<Output, Failure> {
    let metrics = ChainMetrics(
      dimensions: [("streams.name", name)] + dimensions, factory: factory ?? MetricsSystem.factory)
    return Deferred {
      let start = ContinuousClock.now
      let hasValue = Flag()
      metrics.subscriptions.increment()
      return self.handleEvents(
        receiveOutput: { _ in
          metrics.values.increment()
          if hasValue.set() { metrics.firstValue.record(since: start) }
        },
        receiveCompletion: { completion in
          switch completion {
          case .finished: metrics.finished.record(since: start)
          case .failure: metrics.failed.record(since: start)
          }
        },
        receiveCancel: { metrics.cancelled.record(since: start) })
    }
  }
}

private struct ChainMetrics {
  let subscriptions: CoreMetrics.Counter
  let values: CoreMetrics.Counter
  let firstValue: CoreMetrics.Timer
  let finished: CoreMetrics.Timer
  let failed: CoreMetrics.Timer
  let cancelled: CoreMetrics.Timer

  init(dimensions: [(String, String)], factory: any MetricsFactory) {
    func duration(_ outcome: String) -> CoreMetrics.Timer {
      CoreMetrics.Timer(
        label: "streams.subscription.duration", dimensions: dimensions + [("streams.outcome", outcome)],
        factory: factory)
    }
    subscriptions = Counter(label: "streams.subscriptions", dimensions: dimensions, factory: factory)
    values = Counter(label: "streams.values", dimensions: dimensions, factory: factory)
    firstValue = CoreMetrics.Timer(
      label: "streams.first_value.duration", dimensions: dimensions, factory: factory)
    (finished, failed, cancelled) = (duration("finished"), duration("failed"), duration("cancelled"))
  }
}

extension CoreMetrics.Timer {
  fileprivate func record(since start: ContinuousClock.Instant) {
    recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
  }
}

private final class Flag: Sendable {
  private let isSet = Atomic(false)

  /// True for the first call.
  func set() -> Bool { !isSet.exchange(true, ordering: .relaxed) }
}
