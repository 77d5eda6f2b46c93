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
    await until { recorder.values.count { $0.stage != .store } >= 7 }

    // Storing is in the background, so its place among the others is not known.
    let lines = recorder.values.filter { $0.stage != .store }.map { "\($0.stage) \($0.outcome)" }
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
    let failure = try #require(recorder.values.last { $0.stage == .load })
    #expect(failure.request == ImageRequest(url: bench.other))
    #expect(failure.errorCode == DataLoadingError.headTooLarge.code)
    recorder.cancel()
  }

  @Test(
    "Storing on disk is a stage, which ends before `flush()` returns, and fails with the code of the cache")
  func storing() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.answer(bench.other, with: try Pictures.png(8, 4))
    let (good, bad) = (
      bench.pipeline(), bench.pipeline { $0.dataCache = ScriptedDataCache(error: .diskFull) }
    )
    let recorders = [good.stageEvents.record(), bad.stageEvents.record()]

    _ = try await good.image(for: bench.url)
    _ = try await bad.image(for: bench.other)
    await good.flush()
    await bad.flush()

    let stores = recorders.map { $0.values.filter { $0.stage == .store } }
    #expect(stores.map { $0.map(\.outcome) } == [[.succeeded], [.failed]])
    #expect(stores[1].first?.errorCode == DataCacheError.diskFull.code)
    for recorder in recorders { recorder.cancel() }
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
