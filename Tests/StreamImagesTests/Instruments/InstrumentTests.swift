import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: stage events", .timeLimit(.minutes(20)))
struct InstrumentTests {
  private let bench = Bench()

  @Test("Each stage is reported with its outcome when it ends")
  func stages() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.fail(bench.other, with: .headTooLarge)
    let pipeline = bench.pipeline()
    let recorder = pipeline.stageEvents.record()
    let start = ContinuousClock.now

    _ = try await pipeline.image(for: ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")]))
    _ = await pipeline.imageTask(with: bench.other).failure()
    await until { recorder.values.count >= 7 }

    let lines = recorder.values.map { "\($0.stage) \($0.outcome)" }
    #expect(
      lines == [
        "disk missed", "disk missed", "load succeeded", "decode succeeded", "process succeeded",
        "disk missed",
        "load failed",
      ])
    let end = ContinuousClock.now
    #expect(
      recorder.values.allSatisfy { $0.start >= start && $0.duration > .zero && $0.start + $0.duration <= end }
    )
    #expect(recorder.values.last?.request == ImageRequest(url: bench.other))
    recorder.cancel()
  }

  @Test("Stages are measured only while there is a subscriber")
  func measuring() {
    let pipeline = bench.pipeline()
    let events = pipeline.stageEvents
    #expect(!pipeline.isMeasuring)

    let recorders = [events.record(), events.record()]
    recorders[0].cancel()
    recorders[0].cancel()
    #expect(pipeline.isMeasuring)
    recorders[1].cancel()

    #expect(!pipeline.isMeasuring)
  }

  @Test("A cancelled stage is reported as cancelled")
  func cancelled() async {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline { $0.dataCache = nil }
    let recorder = pipeline.stageEvents.record()
    let task = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .disableDiskCacheReads))
    await bench.loader.waitForLoad(of: bench.url)
    task.cancel()
    await until { !recorder.values.isEmpty }
    recorder.cancel()

    #expect(recorder.values.map { "\($0.stage) \($0.outcome)" } == ["load cancelled"])
  }
}
