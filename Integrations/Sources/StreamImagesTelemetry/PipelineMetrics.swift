public import CoreMetrics
public import StreamImages
internal import Streams
internal import Synchronization

/// Reports the work of a pipeline as metrics.
///
/// ```swift
/// let metrics = PipelineMetrics(of: pipeline)
/// let reporting = metrics.report(every: .seconds(10))
/// ```
///
/// The stages are timed as they end, while this object lives. Queues, caches and workers are read by ``report()``: call it
/// before the metrics are collected, or from time to time. The README of Integrations lists the names.
///
/// - Complexity: Makes one timer for each stage, outcome and error code that occurs.
public final class PipelineMetrics: Sendable {
  private struct Stage: Hashable {
    let stage: StageEvent.Stage
    let outcome: StageEvent.Outcome
    let errorCode: String?
  }

  private struct State {
    var timers: [Stage: CoreMetrics.Timer] = [:]
    var observation: AnyCancellable?
  }

  private let pipeline: ImagePipeline
  private let dimensions: [(String, String)]
  private let factory: any MetricsFactory
  private let readings: Readings
  private let state = Mutex(State())

  /// Begins to time the stages of `pipeline`.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - dimensions: Further dimensions of all metrics, for programs with several pipelines.
  ///   - factory: Makes the metrics. By default, the factory of the process.
  public init(
    of pipeline: ImagePipeline, dimensions: [(String, String)] = [], factory: (any MetricsFactory)? = nil
  ) {
    self.pipeline = pipeline
    self.dimensions = dimensions
    self.factory = factory ?? MetricsSystem.factory
    readings = Readings(dimensions: dimensions, factory: self.factory)
    let observation = pipeline.stageEvents.sink { [weak self] event in self?.record(event) }
    state.withLock { $0.observation = observation }
  }

  /// Reads queues, caches and workers, and sets their metrics.
  public func report() { readings.update(from: pipeline) }

  private func record(_ event: StageEvent) {
    timer(Stage(stage: event.stage, outcome: event.outcome, errorCode: event.errorCode))
      .recordNanoseconds(Int64(event.duration / .nanoseconds(1)))
  }

  private func timer(_ stage: Stage) -> CoreMetrics.Timer {
    if let timer = state.withLock({ $0.timers[stage] }) { return timer }
    var dimensions =
      dimensions + [
        ("image.stage", "\(stage.stage)"), ("image.outcome", "\(stage.outcome)"),
      ]
    if let code = stage.errorCode { dimensions.append(("error.type", code)) }
    // Made outside of the lock, because the factory is the user's. If two threads make one, the first is kept.
    let made = CoreMetrics.Timer(label: "image.stage.duration", dimensions: dimensions, factory: factory)
    return state.withLock { state in
      let kept = state.timers[stage] ?? made
      state.timers[stage] = kept
      return kept
    }
  }
}
