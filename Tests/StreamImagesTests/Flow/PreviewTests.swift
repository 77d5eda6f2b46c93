import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Previews", .timeLimit(.minutes(20)))
struct PreviewTests {
  private let bench = Bench()

  private func pipeline(_ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }) -> ImagePipeline
  {
    bench.pipeline {
      $0.isProgressiveDecodingEnabled = true
      configure(&$0)
    }
  }

  @Test("Previews of a progressive JPEG are processed like the image and not cached")
  func processed() async throws {
    let bytes = try Pictures.progressiveJPEG(64, 48)
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let processor = ScriptedProcessor("a")
    let pipeline = pipeline()
    let request = ImageRequest(url: bench.url, processors: [.resize(width: 32), processor])

    let recorder = pipeline.imagePublisher(with: request).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    _ = await recorder.received(1)
    #expect(bench.memory.entries.isEmpty)
    bench.loader.sendRest(of: bench.url)
    #expect(await recorder.endsWell())
    await pipeline.flush()

    #expect(recorder.values.map(\.isPreview) == [true, false])
    #expect(recorder.values.map(\.image.width) == [32, 32])
    #expect(recorder.values[0].image != recorder.values[1].image && processor.runs == 2)
    #expect(bench.memory.entries.values.map(\.isPreview) == [false])
    #expect(recorder.values[1].image == (try await bench.pipeline().image(for: request)))
  }

  @Test(
    "Previews need progressive decoding to be enabled and a known length",
    arguments: ["off", "unknown length"])
  func conditions(_ reason: String) async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(
      bench.url, with: bytes, inPiecesOf: bytes.count / 4 + 1, isAnnounced: reason != "unknown length")
    let pipeline = reason == "off" ? bench.pipeline() : pipeline()

    let recorder = pipeline.imagePublisher(with: bench.url).record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.count == 1 && bench.decoder.previewRuns.isEmpty)
    #expect(bench.loader.requests.map(\.isIncremental) == [reason != "off"])
  }

  @Test(
    "Previews are decoded one at a time and do not delay the final image"
  )
  func backPressure() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 16 + 1, onDemand: true)
    let entered = Latch()
    let decoder = ScriptedDecoder { context in
      guard !context.isComplete else { return }
      entered.open()
      while !context.isCancelled() { sched_yield() }
      throw CancellationError()
    }
    let pipeline = pipeline { $0.decoders = [decoder] }
    let recorder = pipeline.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    for _ in 0..<4 { bench.loader.sendPiece(of: bench.url) }
    await entered.wait()

    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [false])
    #expect(decoder.previewRuns.count == 1 && decoder.runs == 1)
  }

  @Test("A preview is decoded at most once per eighth of the bytes")
  func bounded() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: 10, onDemand: true)
    let pipeline = pipeline()
    let task = pipeline.imageTask(with: bench.url)
    await bench.loader.waitForLoad(of: bench.url)

    for index in 1...bytes.count / 10 {
      bench.loader.sendPiece(of: bench.url)
      await until { task.status.progress.completed >= index * 10 }
      let eighths = index * 10 * 8 / bytes.count
      await until { bench.decoder.previewRuns.count >= eighths }
    }
    bench.loader.sendRest(of: bench.url)
    _ = try await task.image

    #expect(bench.decoder.previewRuns.count == 7)
    #expect(bench.decoder.previewRuns == bench.decoder.previewRuns.sorted())
  }

  @Test(
    "A preview that fails is skipped, and the final image arrives",
    arguments: ["decode", "process"])
  func failing(_ stage: String) async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let failed = Latch()
    let fail: @Sendable (Bool) throws -> Void = { isUnfinished in
      guard isUnfinished else { return }
      failed.open()
      throw ImageCodecError.truncated
    }
    let decoder = ScriptedDecoder { try fail(stage == "decode" && !$0.isComplete) }
    let processor = ScriptedProcessor("a") { try fail(stage == "process" && $0.isPreview) }
    let recorder = pipeline { $0.decoders = [decoder] }
      .imagePublisher(with: ImageRequest(url: bench.url, processors: [processor])).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await failed.wait()

    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [false])
  }

  @Test("Decoding a preview stops when the load fails or is cancelled", arguments: [true, false])
  func stopping(byFailure: Bool) async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(
      bench.url, with: bytes.dropLast(100) + Data(count: 100), inPiecesOf: bytes.count / 2 + 1,
      onDemand: true,
      failingWith: .connectionLost(.idle, reason: "test"))
    let (entered, left) = (Latch(), Latch())
    let decoder = ScriptedDecoder { context in
      entered.open()
      while !context.isCancelled() { sched_yield() }
      left.open()
      throw CancellationError()
    }
    let pipeline = pipeline { $0.decoders = [decoder] }
    let recorder = pipeline.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await entered.wait()

    if byFailure { bench.loader.sendRest(of: bench.url) } else { recorder.cancel() }

    await left.wait()
    await until { pipeline.isIdle }
    #expect(recorder.values.isEmpty && decoder.runs == 0)
  }

  @Test("A late subscriber does not receive earlier previews")
  func late() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 4 + 1, onDemand: true)
    let pipeline = pipeline()
    let first = pipeline.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    _ = await first.received(1)

    let second = pipeline.imagePublisher(with: bench.url).record()
    bench.loader.sendPiece(of: bench.url)
    _ = await (first.received(2), second.received(1))
    bench.loader.sendRest(of: bench.url)
    _ = await (first.ended(), second.ended())

    #expect(first.values.count >= 3 && first.values.count > second.values.count)
    #expect(bench.loader.loads(of: bench.url) == 1)
  }

  @Test(
    "The default preview policy depends on the image format",
    arguments: [
      (ImageFormat.jpeg, true, false, PreviewPolicy.all), (.jpeg, false, false, .none),
      (.png, true, false, .all),
      (.gif, false, true, .first), (.gif, false, false, .first), (.webp, false, true, .first),
      (.avif, false, false, .none),
    ])
  func policies(_ row: (format: ImageFormat, isProgressive: Bool, isAnimated: Bool, policy: PreviewPolicy)) {
    let info = ImageInfo(
      format: row.format, storedSize: PixelSize(width: 1, height: 1), isProgressive: row.isProgressive,
      isAnimated: row.isAnimated)

    #expect(PreviewPolicy(fitting: info) == row.policy)
  }

  @Test("The thumbnail policy shows the embedded thumbnail once")
  func thumbnail() async throws {
    struct Thumbnails: ImagePipelineDelegate {
      func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? { .thumbnail }
    }
    let bytes = try Camera.jpeg()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 8 + 1, onDemand: true)
    let pipeline = pipeline { $0.delegate = Thumbnails() }

    let recorder = pipeline.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    for _ in 1...6 { bench.loader.sendPiece(of: bench.url) }
    _ = await recorder.received(1)
    bench.loader.sendPiece(of: bench.url)
    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == [160, 320])
    #expect(recorder.values.map { ($0.image.pixel(x: 9, y: 9)?.blue ?? 0) > 100 } == [true, false])
  }

  @Test("The policy for the first preview shows only one")
  func first() async throws {
    struct First: ImagePipelineDelegate {
      func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? { .first }
    }
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 8 + 1, onDemand: true)
    let pipeline = pipeline { $0.delegate = First() }

    let recorder = pipeline.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    for _ in 1...4 { bench.loader.sendPiece(of: bench.url) }
    _ = await recorder.received(1)
    for _ in 5...7 {
      bench.loader.sendPiece(of: bench.url)
      // Time for a second one, which would be made beside the load.
      for _ in 0..<1_000 where recorder.values.count == 1 { await Task.yield() }
    }
    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [true, false])
  }

  @Test("The delegate is called once for its preview policy")
  func asking() async throws {
    struct Counter: ImagePipelineDelegate {
      let asked = Shared(0)
      func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? {
        asked.change { $0 += 1 }
        return .all
      }
    }
    let (bytes, counter) = (try Pictures.progressiveJPEG(), Counter())
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 4 + 1, onDemand: true)

    let recorder = pipeline { $0.delegate = counter }.imagePublisher(with: bench.url).record()
    await bench.loader.waitForLoad(of: bench.url)
    for count in 1...2 {
      bench.loader.sendPiece(of: bench.url)
      _ = await recorder.received(count)
    }
    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(counter.asked.value == 1)
  }

  @Test("A baseline JPEG has no previews")
  func baseline() async throws {
    let bytes = try Pictures.jpeg()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 4 + 1)

    let recorder = pipeline().imagePublisher(with: bench.url).record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.count == 1 && bench.decoder.previewRuns.isEmpty)
  }
}
