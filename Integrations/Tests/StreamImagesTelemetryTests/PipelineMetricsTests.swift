import CoreMetrics
import MetricsTestKit
import StreamImages
import StreamImagesTelemetry
import StreamImagesTesting
import Testing

@Suite("The metrics of a pipeline")
struct PipelineMetricsTests {
  private let bench = TelemetryBench()
  private let factory = TestMetrics()

  @Test("Each stage is timed with its outcome, and a failure with its code")
  func stages() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(4, 4))
    let pipeline = bench.pipeline { _ in }
    let metrics = PipelineMetrics(of: pipeline, factory: factory)

    _ = try await pipeline.image(for: bench.url)
    bench.loader.fail(bench.url, with: .headTooLarge)
    _ = try? await pipeline.image(for: ImageRequest(url: bench.url, options: .reloadIgnoringCachedData))
    await pipeline.flush()

    for (stage, outcome) in [("load", "succeeded"), ("decode", "succeeded"), ("store", "succeeded")] {
      let dimensions = [("image.stage", stage), ("image.outcome", outcome)]
      #expect(try factory.expectTimer("image.stage.duration", dimensions).values.count == 1, "\(stage)")
    }
    let failed = [
      ("image.stage", "load"), ("image.outcome", "failed"),
      ("error.type", DataLoadingError.headTooLarge.code),
    ]
    #expect(try factory.expectTimer("image.stage.duration", failed).values.count == 1)
    withExtendedLifetime(metrics) {}
  }

  @Test("Queues, caches and workers are read when they are reported")
  func readings() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(4, 4))
    let pipeline = bench.pipeline { _ in }
    let metrics = PipelineMetrics(of: pipeline, factory: factory)

    _ = try await pipeline.image(for: bench.url)
    _ = try await pipeline.image(for: bench.url)
    metrics.report()
    metrics.report()

    let hits = [("image.cache", "images"), ("image.outcome", "succeeded")]
    let misses = [("image.cache", "images"), ("image.outcome", "missed")]
    #expect(try factory.expectCounter("image.cache.reads", hits).totalValue == 1)
    #expect(try factory.expectCounter("image.cache.reads", misses).totalValue >= 1)
    let cache = try #require(pipeline.configuration.imageCache as? ImageCache)
    #expect(cache.totalCost > 0)
    #expect(
      try factory.expectMeter("image.cache.size", [("image.cache", "images")]).lastValue
        == Double(cache.totalCost))
    #expect(try factory.expectCounter("image.worker.starts").totalValue == 0)
    for work in ImagePipeline.Work.allCases {
      let running = [("image.work", "\(work)"), ("image.state", "running")]
      #expect(try factory.expectMeter("image.queue.length", running).lastValue == 0)
    }
  }

  @Test("A cache of encoded images is read alone, and as a layer of another cache")
  func layers() async throws {
    let memory = EncodedMemoryCache(over: nil)
    let outer = LayeredDataCache(layers: [bench.disk, LayeredDataCache(layers: [memory])])
    for cache in [memory, outer] as [any DataCaching] {
      let factory = TestMetrics()
      bench.loader.answer(bench.url, with: try Pictures.png(4, 4))
      let pipeline = bench.pipeline { $0.dataCache = cache }
      let metrics = PipelineMetrics(of: pipeline, factory: factory)

      _ = try await pipeline.image(for: bench.url)
      await pipeline.flush()
      metrics.report()

      let size = try factory.expectMeter("image.cache.size", [("image.cache", "encoded")]).lastValue
      #expect(memory.totalCost > 0 && size == Double(memory.totalCost))
    }
  }
}
