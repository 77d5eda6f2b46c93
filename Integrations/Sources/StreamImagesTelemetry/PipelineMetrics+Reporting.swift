internal import CoreMetrics
internal import StreamImages
public import Streams
internal import StreamsExtras
internal import Synchronization

extension PipelineMetrics {
  /// Calls ``report()`` now, and then every `interval`, until the result is cancelled or released.
  public func report(every interval: Duration) -> AnyCancellable {
    let scheduler = TaskScheduler()
    return AnyCancellable(
      scheduler.schedule(after: scheduler.now, interval: ClockStride(interval)) { [self] in report() })
  }
}

/// The metrics that are read from time to time.
struct Readings: Sendable {
  private struct Gauges {
    let waiting: Meter
    let running: Meter
  }

  /// Counters that the pipeline keeps as totals, and a factory as increments.
  private final class Total: Sendable {
    private let counter: Counter
    private let last = Mutex(0)

    init(_ counter: Counter) { self.counter = counter }

    func set(_ total: Int) {
      let more = last.withLock { last in
        defer { last = max(last, total) }
        return total - last
      }
      if more > 0 { counter.increment(by: more) }
    }
  }

  private struct Cache {
    let hits: Total
    let misses: Total
    let evictions: Total
    let byteCount: Meter

    init(_ name: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
      let dimensions = dimensions + [("image.cache", name)]
      func total(_ label: String, _ more: [(String, String)] = []) -> Total {
        Total(Counter(label: label, dimensions: dimensions + more, factory: factory))
      }
      hits = total("image.cache.reads", [("image.outcome", "succeeded")])
      misses = total("image.cache.reads", [("image.outcome", "missed")])
      evictions = total("image.cache.evictions")
      byteCount = Meter(label: "image.cache.size", dimensions: dimensions, factory: factory)
    }

    func set(_ statistics: CacheStatistics, byteCount: Int) {
      hits.set(statistics.hits)
      misses.set(statistics.misses)
      evictions.set(statistics.evictions)
      self.byteCount.set(byteCount)
    }
  }

  private let queues: [ImagePipeline.Work: Gauges]
  private let images: Cache
  private let encoded: Cache
  private let workers: Total

  init(dimensions: [(String, String)], factory: any MetricsFactory) {
    queues = Dictionary(
      uniqueKeysWithValues: ImagePipeline.Work.allCases.map { work in
        func meter(_ state: String) -> Meter {
          Meter(
            label: "image.queue.length",
            dimensions: dimensions + [("image.work", "\(work)"), ("image.state", state)], factory: factory)
        }
        return (work, Gauges(waiting: meter("waiting"), running: meter("running")))
      })
    images = Cache("images", dimensions, factory)
    encoded = Cache("encoded", dimensions, factory)
    workers = Total(Counter(label: "image.worker.starts", dimensions: dimensions, factory: factory))
  }

  func update(from pipeline: ImagePipeline) {
    for (work, gauges) in queues {
      let counts = pipeline.counts(of: work)
      gauges.waiting.set(counts.waiting)
      gauges.running.set(counts.running)
    }
    if let cache = pipeline.configuration.imageCache as? ImageCache {
      images.set(cache.statistics, byteCount: cache.totalCost)
    }
    if let cache = pipeline.configuration.dataCache?.encodedMemory {
      encoded.set(cache.statistics, byteCount: cache.totalCost)
    }
    workers.set(pipeline.startedWorkerCount)
  }
}

extension DataCaching {
  /// The first one, also among layers.
  fileprivate var encodedMemory: EncodedMemoryCache? {
    if let layers = (self as? LayeredDataCache)?.layers {
      return layers.lazy.compactMap { $0.encodedMemory }.first
    }
    return self as? EncodedMemoryCache
  }
}
