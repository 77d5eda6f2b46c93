import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: unusual moments", .timeLimit(.minutes(20)))
struct OddMomentTests {
  /// Cancels a task from within what it is told about it.
  private struct Canceller: ImagePipelineDelegate {
    let moment: String
    let calls = Shared(0)

    func taskCreated(_ task: ImageTask) { cancel(task, "created") }
    func taskDidStart(_ task: ImageTask) { cancel(task, "started") }

    func task(_ task: ImageTask, didReceive event: ImageTask.Event) {
      switch event {
      case .progress: cancel(task, "progress")
      case .preview: cancel(task, "preview")
      case .finished: cancel(task, "finished")
      }
    }

    private func cancel(_ task: ImageTask, _ now: String) {
      guard now == moment else { return }
      calls.change { $0 += 1 }
      for _ in 0..<2 { task.cancel() }
    }
  }

  @Test(
    "A task can be cancelled twice from each of its delegate events",
    arguments: ["created", "started", "progress", "preview"])
  func cancelling(_ moment: String) async throws {
    let bench = Bench()
    let bytes = try Pictures.progressiveJPEG(64, 48)
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 8, onDemand: true)
    let canceller = Canceller(moment: moment)
    let pipeline = bench.pipeline {
      ($0.delegate, $0.isProgressiveDecodingEnabled) = (canceller, true)
    }

    let task = pipeline.imageTask(with: bench.url)
    if moment == "progress" || moment == "preview" {
      await bench.loader.waitForLoad(of: bench.url)
      for _ in 0..<4 { bench.loader.sendPiece(of: bench.url) }
    }

    guard case .cancelled = await task.failure() else { return unexpected(task.status) }
    await until { pipeline.isIdle }
    #expect(canceller.calls.value == 1)
    #expect(bench.memory[ImageCacheKey(task.request)] == nil)
    #expect(moment == "progress" || moment == "preview" || bench.loader.requests.isEmpty)
  }

  @Test(
    "A task that the delegate cancels on its creation ends for its publisher, its prefetcher and its target")
  func cancelledOnCreation() async throws {
    let bench = Bench()
    let pipeline = bench.pipeline { $0.delegate = Canceller(moment: "created") }

    let (images, events) = (
      pipeline.imagePublisher(with: bench.url).record(),
      pipeline.imageEvents(with: ImageRequest(url: bench.url)).record()
    )
    let prefetcher = ImagePrefetcher(pipeline: pipeline)
    prefetcher.start(with: [bench.url])
    let target = CancelledTarget()
    await target.show(bench.url, with: pipeline)

    for completion in [images.completions.first, events.completions.first] {
      guard case .failure(.cancelled) = completion else { return unexpected(completion) }
    }
    #expect(prefetcher.count == 0)
    #expect(await !target.imageSlot.isLoading)
    #expect(bench.loader.requests.isEmpty && pipeline.isIdle)
  }

  @MainActor
  private final class CancelledTarget: ImageDisplaying {
    let imageSlot = ImageSlot()

    func display(_ display: ImageDisplay) {}

    func show(_ url: URL, with pipeline: ImagePipeline) {
      var options = ImageLoadingOptions()
      options.pipeline = pipeline
      loadImage(with: url, options: options, into: self)
    }
  }

  @Test("A finished task is not cancelled by its finished event")
  func afterTheEnd() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let canceller = Canceller(moment: "finished")

    let task = bench.pipeline { $0.delegate = canceller }.imageTask(with: bench.url)

    #expect(try await task.image.width == 8)
    await until { canceller.calls.value == 1 }
    #expect(!task.isCancelled)
  }

  @Test("Pipelines with the same configuration share only its caches")
  func sharedConfiguration() async throws {
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4), onDemand: true)
    let configuration = bench.pipeline().configuration
    let (first, second) = (ImagePipeline(configuration), ImagePipeline(configuration))

    let tasks = [first.imageTask(with: bench.url), second.imageTask(with: bench.url)]
    await bench.loader.waitForLoad(of: bench.url, count: 2)
    first.invalidate()
    bench.loader.sendRest(of: bench.url)

    guard case .pipelineInvalidated = await tasks[0].failure() else { return unexpected(tasks[0].status) }
    #expect(try await tasks[1].image.width == 8)
    #expect(try await ImagePipeline(configuration).response(for: bench.url).cacheSource == .memory)
  }

  @Test("The second processor does not run if the first one fails", arguments: [true, false])
  func processors(firstFails: Bool) async throws {
    struct Refusal: Error {}
    let bench = Bench()
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let runs = Shared<[String]>([])
    let processors = ["1", "2"].map { name in
      ImageProcessors.Anonymous.process(id: name) { image in
        runs.change { $0.append(name) }
        if (name == "1") == firstFails { throw Refusal() }
        return image
      }
    }

    let task = bench.pipeline().imageTask(with: ImageRequest(url: bench.url, processors: processors))

    guard case .processingFailed(let failed, is Refusal) = await task.failure() else {
      return unexpected(task.status)
    }
    #expect(failed == "anonymous \(firstFails ? "1" : "2")")
    #expect(runs.value == (firstFails ? ["1"] : ["1", "2"]))
  }

  @Test(
    "An image is processed upright for all eight orientations", arguments: 1...8)
  func orientation(_ number: Int) async throws {
    let stored = try Pictures.jpeg(64, 48)
    let orientation = try #require(ImageOrientation(rawValue: number))
    let upright = try ImageDecoder.decode([UInt8](stored)).oriented(orientation)
    let processors: [any ImageProcessing] = [
      .crop(size: CGSize(width: 30, height: 20)), .circle(), .roundedCorners(radius: 5),
      .gaussianBlur(radius: 2),
      .rotate(degrees: 90), .flip(horizontally: true), .invert(), .sepia(),
    ]
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Exif.oriented(stored, number)))
      let url = workshop.server.url("/a")
      let pipeline = workshop.pipeline { $0.dataCachePolicy = .storeOriginalData }

      #expect(try await pipeline.image(for: url) == upright)
      for processor in processors {
        let expected = try processor.process(upright, ImageProcessingContext(request: ImageRequest(url: url)))
        let request = ImageRequest(url: url, processors: [processor])
        #expect(try await pipeline.image(for: request) == expected, "\(processor.identifier)")
      }
      let small = ImageRequest(url: url, processors: [.resize(width: 12)])
      let size = try await pipeline.image(for: small).size
      #expect(size == (number <= 4 ? PixelSize(width: 12, height: 9) : PixelSize(width: 12, height: 16)))
    }
  }
}

private enum Exif {
  /// A JPEG with a segment that says how it lies.
  static func oriented(_ jpeg: Data, _ number: Int) -> Data {
    let directory: [UInt8] = [
      0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, UInt8(number), 0, 0, 0, 0, 0, 0, 0,
    ]
    let payload = Array("Exif\0\0".utf8) + directory
    let length = payload.count + 2
    return jpeg.prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload)
      + jpeg.dropFirst(2)
  }
}
