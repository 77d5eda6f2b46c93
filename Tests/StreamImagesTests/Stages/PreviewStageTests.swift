import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Previews that come too late", .timeLimit(.minutes(1)))
struct PreviewStageTests {
  private let bench = Bench()

  /// Makes a preview of anything, when it is told to.
  private struct SlowPreviews: ImageDecoding {
    let begun = Latch()
    let isUnwanted = Latch()
    /// Whether it waits until the preview is not needed any more, and makes it nevertheless.
    var waits = true
    var cost = 0
    let decoder = ImageDecoders.Default()

    func canDecode(_ data: Data) -> Bool { true }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { cost }
    func decode(_ data: Data, _ context: ImageDecodingContext) throws -> Image {
      try decoder.decode(data, context)
    }
    func previewPolicy(for data: Data) -> PreviewPolicy? { .all }

    func decodePreview(_ data: Data, _ context: ImageDecodingContext) throws -> Image? {
      begun.open()
      while waits, !context.isCancelled() { sched_yield() }
      isUnwanted.open()
      return try Pictures.gradient(1, 1)
    }
  }

  private func pipeline(
    _ decoder: any ImageDecoding, _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) -> ImagePipeline {
    bench.pipeline {
      ($0.isProgressiveDecodingEnabled, $0.decoders) = (true, [decoder])
      configure(&$0)
    }
  }

  private func answer() throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
  }

  @Test("A preview that is made although the load has ended is not shown")
  func stubborn() async throws {
    try answer()
    let decoder = SlowPreviews()
    let recorder = pipeline(decoder).imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await decoder.begun.wait()

    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [false])
  }

  @Test(
    "A preview that waits for its turn until the load has ended is neither decoded nor processed",
    arguments: [
      ImagePipeline.Work.decoding, .processing,
    ])
  func waiting(_ work: ImagePipeline.Work) async throws {
    try answer()
    let processor = ScriptedProcessor("a")
    let pipeline = pipeline(bench.decoder)
    pipeline.suspend(work)
    let stages = pipeline.stageEvents.record()
    let task = pipeline.imageTask(with: ImageRequest(url: bench.url, processors: [processor]))
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { pipeline.counts(of: work).waiting == 1 }

    bench.loader.sendRest(of: bench.url)
    await until { stages.values.contains { $0.stage == .load } }
    pipeline.resume(work)
    _ = try await task.image
    // Each on its own thread, in any order.
    let expected: Set<StageEvent.Outcome> = work == .decoding ? [.succeeded] : [.cancelled, .succeeded]
    await until { stages.values.count { $0.stage == .process } == expected.count }

    #expect(bench.decoder.previewRuns.count == (work == .decoding ? 0 : 1) && processor.runs == 1)
    #expect(Set(stages.values.filter { $0.stage == .process }.map(\.outcome)) == expected)
    stages.cancel()
  }

  @Test("Processing a preview stops when the load has ended")
  func processing() async throws {
    try answer()
    let begun = Latch()
    let processor = ScriptedProcessor("a") { context in
      guard context.isPreview else { return }
      begun.open()
      while !context.isCancelled() { sched_yield() }
      throw CancellationError()
    }
    let recorder = pipeline(bench.decoder)
      .imagePublisher(with: ImageRequest(url: bench.url, processors: [processor])).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await begun.wait()

    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [false])
  }

  /// Does not end when it is cancelled.
  private final class StubbornLoader: DataLoading, DataChunks {
    let bytes: Data
    let isFirst = Shared(true)
    let hold = Latch()

    init(bytes: Data) { self.bytes = bytes }

    func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
      LoadedData(head: LoadedHead(url: request.url, expectedByteCount: bytes.count), body: self)
    }

    func next() async throws(DataLoadingError) -> Data? {
      if isFirst.value {
        isFirst.change { $0 = false }
        return bytes.prefix(bytes.count / 2)
      }
      await hold.wait()
      throw .cancelled
    }

    func cancel() {}
  }

  @Test("A preview is given up when its request is cancelled, even if the loader goes on")
  func cancelled() async throws {
    let loader = StubbornLoader(bytes: try Pictures.progressiveJPEG())
    let decoder = SlowPreviews()
    let pipeline = pipeline(decoder) { $0.dataLoader = loader }
    let task = pipeline.imageTask(with: bench.url)
    await decoder.begun.wait()

    task.cancel()

    await decoder.isUnwanted.wait()
    loader.hold.open()
    await until { pipeline.isIdle }
  }

  @Test("A preview has the origin, the URL, the format and the number of the bytes it was made of")
  func properties() async throws {
    try answer()
    let task = pipeline(bench.decoder).imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { task.status.preview != nil }
    let preview = try #require(task.status.preview)
    bench.loader.sendRest(of: bench.url)

    #expect(preview.isPreview && preview.origin == .network && preview.cacheSource == nil)
    #expect(preview.url == bench.url && preview.format == .jpeg && preview.metadata == nil)
    #expect(try await preview.byteCount < task.response.byteCount)
    #expect(task.status.preview == nil)
  }

  @Test(
    "A preview takes as much of the budget as its decoder says, and waits for room",
    arguments: [
      (100, 150, true), (101, 150, false), (0, 50, true), (-5, 50, true),
    ])
  func weight(_ cost: Int, _ budget: Int, _ hasRoom: Bool) async throws {
    try answer()
    var decoder = SlowPreviews()
    (decoder.waits, decoder.cost) = (false, cost)
    let registry = ImageDecoderRegistry()
    let other = OccupyingDecoder()
    registry.register(other)
    bench.loader.answer(bench.other, with: Data("other".utf8))
    let pipeline = pipeline(decoder) {
      ($0.decoderRegistry, $0.decodingByteBudget, $0.decodingWidth) = (registry, budget, 4)
    }
    let occupying = pipeline.imageTask(with: bench.other)
    await other.begun.wait()

    let task = pipeline.imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    if hasRoom {
      await until { task.status.preview != nil }
    } else {
      await until { pipeline.decodingCounts == (1, 1) }
    }
    #expect(decoder.begun.isOpen == hasRoom)
    other.goOn.open()
    bench.loader.sendRest(of: bench.url)

    _ = try await (task.image, occupying.image)
  }

  /// Takes fifty bytes until it may go on.
  private struct OccupyingDecoder: AsyncImageDecoding {
    let begun = Latch()
    let goOn = Latch()

    func canDecode(_ data: Data) -> Bool { data == Data("other".utf8) }
    func byteCost(of data: Data, _ context: ImageDecodingContext) throws -> Int { 50 }

    func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image {
      begun.open()
      await goOn.wait()
      return try Pictures.gradient(1, 1)
    }
  }

  @Test(
    "An image takes as much of the budget as its decoder says, and waits for room",
    arguments: [
      (100, 150, true), (101, 150, false), (0, 50, true), (-5, 50, true),
    ])
  func imageWeight(_ cost: Int, _ budget: Int, _ hasRoom: Bool) async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    bench.loader.answer(bench.other, with: Data("other".utf8))
    var decoder = SlowPreviews()
    decoder.cost = cost
    let registry = ImageDecoderRegistry()
    let other = OccupyingDecoder()
    registry.register(other)
    let pipeline = bench.pipeline {
      ($0.decoders, $0.decoderRegistry, $0.decodingByteBudget, $0.decodingWidth) = (
        [decoder], registry, budget, 4
      )
    }
    let occupying = pipeline.imageTask(with: bench.other)
    await other.begun.wait()

    let task = pipeline.imageTask(with: bench.url)
    if hasRoom {
      #expect(try await task.image.width == 8)
    } else {
      await until { pipeline.decodingCounts == (1, 1) }
    }
    other.goOn.open()

    _ = try await (task.image, occupying.image)
  }
}
