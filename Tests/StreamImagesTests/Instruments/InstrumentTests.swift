import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("The stages of a pipeline", .timeLimit(.minutes(20)))
struct InstrumentTests {
  private let bench = Bench()

  @Test("A1.12: are measured for those who want to know, each as it ends")
  func stages() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.fail(bench.other, with: .headTooLarge)
    let pipeline = bench.pipeline()
    let recorder = pipeline.stageEvents.record()

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
    #expect(recorder.values.allSatisfy { $0.duration >= .zero })
    #expect(recorder.values.last?.request == ImageRequest(url: bench.other))
    recorder.cancel()
  }

  @Test("A1.12: are told as cancelled when they are, and not measured once nobody wants to know")
  func cancelled() async {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline { $0.dataCache = nil }
    let recorder = pipeline.stageEvents.record()
    let task = pipeline.imageTask(with: ImageRequest(url: bench.url, options: .disableDiskCacheReads))
    await bench.loader.waitForLoad(of: bench.url)
    task.cancel()
    await until { !recorder.values.isEmpty }
    #expect(recorder.values.map { "\($0.stage) \($0.outcome)" } == ["load cancelled"])

    recorder.cancel()
    _ = await pipeline.imageTask(with: URL(string: "https://example.org/none")).failure()

    #expect(recorder.values.count == 1)
  }
}
