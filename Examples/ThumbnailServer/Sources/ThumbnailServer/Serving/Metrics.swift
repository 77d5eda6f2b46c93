internal import Foundation
internal import StreamImages
internal import Synchronization

/// Numbers in the text format of Prometheus.
final class Metrics: Sendable {
  private struct Row: Hashable {
    var stage: StageEvent.Stage
    var outcome: StageEvent.Outcome
  }

  private struct Sum {
    var count = 0
    var seconds = 0.0

    mutating func add(_ duration: Duration) {
      count += 1
      seconds += duration.seconds
    }
  }

  private struct State {
    var stages: [Row: Sum] = [:]
    var statuses: [Int: Int] = [:]
    /// By code, of which there is a fixed number.
    var refusals: [String: Int] = [:]
    var requests = Sum()
    /// One more than there are bounds, for what is slower than all.
    var durations = [Int](repeating: 0, count: Metrics.bounds.count + 1)
  }

  /// In seconds.
  private static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  private let pipeline: ImagePipeline
  private let state = Mutex(State())
  private let observation = Mutex<AnyCancellable?>(nil)

  init(of pipeline: ImagePipeline) {
    self.pipeline = pipeline
    let observing = pipeline.stageEvents.sink { [weak self] event in self?.count(event) }
    observation.withLock { $0 = observing }
  }

  /// Counts a request that was answered.
  func count(status: Int, after duration: Duration) {
    let index = Self.bounds.firstIndex { duration.seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.statuses[status, default: 0] += 1
      state.requests.add(duration)
      state.durations[index] += 1
    }
  }

  /// Counts a request that was refused.
  func count(_ refusal: Refusal) { state.withLock { $0.refusals[refusal.code, default: 0] += 1 } }

  private func count(_ event: StageEvent) {
    let row = Row(stage: event.stage, outcome: event.outcome)
    state.withLock { $0.stages[row, default: Sum()].add(event.duration) }
  }

  /// - Parameter recent: The cache of thumbnails in memory.
  func text(_ recent: EncodedMemoryCache) -> String {
    var page = Page()
    let state = state.withLock { $0 }

    page.family("thumbnail_requests_total", "counter", "Requests by the status of their answer.")
    for (status, count) in state.statuses.sorted(by: { $0.key < $1.key }) {
      page.row("thumbnail_requests_total{status=\"\(status)\"}", count)
    }
    page.family("thumbnail_refusals_total", "counter", "Refusals by their code.")
    for (code, count) in state.refusals.sorted(by: { $0.key < $1.key }) {
      page.row("thumbnail_refusals_total{code=\"\(code)\"}", count)
    }
    page.family(
      "thumbnail_request_duration_seconds", "histogram", "From the head of a request to its answer.")
    var count = 0
    for (bound, more) in zip(Self.bounds.map { "\($0)" } + ["+Inf"], state.durations) {
      count += more
      page.row("thumbnail_request_duration_seconds_bucket{le=\"\(bound)\"}", count)
    }
    page.row("thumbnail_request_duration_seconds_sum", state.requests.seconds)
    page.row("thumbnail_request_duration_seconds_count", state.requests.count)

    page.family(
      "image_stage_duration_seconds", "summary", "Time in stages of the pipeline, waiting included.")
    let rows = state.stages.map { row, sum in
      (labels: "{stage=\"\(row.stage)\",outcome=\"\(row.outcome)\"}", sum: sum)
    }
    for (labels, sum) in rows.sorted(by: { $0.labels < $1.labels }) {
      page.row("image_stage_duration_seconds_sum\(labels)", sum.seconds)
      page.row("image_stage_duration_seconds_count\(labels)", sum.count)
    }
    let work = ImagePipeline.Work.allCases.map { (name: "\($0)", counts: pipeline.counts(of: $0)) }
    page.family("image_work_waiting", "gauge", "Pieces of work that wait for their turn.")
    for (name, counts) in work { page.row("image_work_waiting{work=\"\(name)\"}", counts.waiting) }
    page.family("image_work_running", "gauge", "Pieces of work that run.")
    for (name, counts) in work { page.row("image_work_running{work=\"\(name)\"}", counts.running) }

    page.family("thumbnail_memory_bytes", "gauge", "Thumbnails in memory.")
    page.row("thumbnail_memory_bytes", recent.totalCost)
    let found = recent.statistics
    page.family("thumbnail_memory_reads_total", "counter", "Reads of thumbnails in memory.")
    page.row("thumbnail_memory_reads_total{outcome=\"hit\"}", found.hits)
    page.row("thumbnail_memory_reads_total{outcome=\"miss\"}", found.misses)

    if let process = ProcessNumbers.now {
      page.family("process_resident_memory_bytes", "gauge", "Memory of the process.")
      page.row("process_resident_memory_bytes", process.residentBytes)
      page.family("process_open_fds", "gauge", "Open file descriptors.")
      page.row("process_open_fds", process.openDescriptors)
      page.family("process_cpu_seconds_total", "counter", "Processor time of the process.")
      page.row("process_cpu_seconds_total", process.processorSeconds)
    }
    return page.text
  }

  private struct Page {
    var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func row(_ name: String, _ value: some CustomStringConvertible) { text += "\(name) \(value)\n" }
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
