import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("`ImagePipeline`: work in progress", .timeLimit(.minutes(1)))
struct BusyPipelineTests {
  private let bench = Bench()

  @Test(
    "Cancelling the subscription to bytes, an encoded image, events or an animation stops the load",
    arguments: [0, 1, 2, 3])
  func publishers(_ number: Int) async {
    bench.loader.hold(bench.url)
    let pipeline = bench.pipeline()
    let request = ImageRequest(url: bench.url)
    let cancel: () -> Void
    switch number {
    case 0: cancel = pipeline.dataPublisher(with: request).record().cancel
    case 1: cancel = pipeline.encodedImagePublisher(with: request).record().cancel
    case 2: cancel = pipeline.imageEvents(with: request).record().cancel
    default: cancel = pipeline.animationPublisher(with: request).record().cancel
    }
    await bench.loader.waitForLoad(of: bench.url)

    cancel()

    await until { bench.loader.departures(from: bench.url) == 1 && pipeline.isIdle }
    #expect(bench.loader.loads(of: bench.url) == 1)
  }

  @Test("A function that is called in a cancelled task starts nothing", arguments: [0, 1, 2])
  func cancelledBefore(_ number: Int) async {
    bench.loader.hold(bench.url)
    let preparations = Shared(0)
    let delegate = RecordingDelegate { request in
      preparations.change { $0 += 1 }
      return request
    }
    let (pipeline, url) = (bench.pipeline { $0.delegate = delegate }, bench.url)

    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await imageFailure { () throws(ImagePipeline.Error) in
        switch number {
        case 0: _ = try await pipeline.response(for: url)
        case 1: _ = try await pipeline.data(for: url)
        default: _ = try await pipeline.encodedImage(for: url)
        }
      }
    }

    guard case .cancelled? = await task.value else { return unexpected("a result") }
    #expect(preparations.value == 0 && delegate.tasks.isEmpty && bench.loader.requests.isEmpty)
  }

  @Test("An encoding in progress fails at once when its pipeline is invalidated")
  func invalidated() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let encoder = HeldEncoder()
    let pipeline = bench.pipeline { $0.encoder = encoder }
    let recorder = pipeline.encodedImagePublisher(
      with: ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    ).record()
    await encoder.begun.wait()

    pipeline.invalidate()

    guard case .failure(.pipelineInvalidated)? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
    encoder.goOn.signal()
    await until { pipeline.isIdle && pipeline.counts(of: .encoding) == (0, 0) }
  }

  @Test("A pipeline is busy while anything but storing is in progress")
  func busy() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let (begun, goOn) = (Latch(), Latch())
    let encoder = HeldEncoder()
    let pipeline = bench.pipeline { $0.encoder = encoder }
    #expect(pipeline.isIdle)

    // Only an image, only bytes, and only an encoding.
    let image = pipeline.imageTask(
      with: ImageRequest(
        id: "a",
        image: {
          begun.open()
          await goOn.wait()
          return try Pictures.gradient(2, 1)
        }, options: .skipDataLoadingQueue))
    await begun.wait()
    #expect(!pipeline.isIdle && pipeline.originals.count == 0 && pipeline.loadingCounts == (0, 0))
    goOn.open()
    _ = try await image.image
    await until { pipeline.isIdle }

    let (entered, left) = (Latch(), Latch())
    let data = pipeline.dataTask(
      with: ImageRequest(
        id: "b",
        data: {
          entered.open()
          await left.wait()
          return Data([1])
        }, options: .skipDataLoadingQueue))
    await entered.wait()
    #expect(!pipeline.isIdle && pipeline.images.count == 0 && pipeline.loadingCounts == (0, 0))
    left.open()
    _ = try await data.data
    await until { pipeline.isIdle }

    let recorder = pipeline.encodedImagePublisher(
      with: ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    ).record()
    await encoder.begun.wait()
    await until { pipeline.images.count == 0 && pipeline.originals.count == 0 }
    #expect(!pipeline.isIdle && pipeline.encodings.count == 1)
    encoder.goOn.signal()
    _ = await recorder.ended()
    await until { pipeline.isIdle }
  }

  @Test("A pipeline is busy while a decoder runs for a request that was cancelled")
  func busyDecoder() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let (begun, goOn) = (Latch(), DispatchSemaphore(value: 0))
    let decoder = ScriptedDecoder { _ in
      begun.open()
      goOn.wait()
    }
    let pipeline = bench.pipeline { $0.decoders = [decoder] }
    let task = pipeline.imageTask(with: bench.url)
    await begun.wait()

    task.cancel()
    await until { pipeline.images.count == 0 && pipeline.originals.count == 0 }

    #expect(!pipeline.isIdle && pipeline.decodingCounts == (0, 1))
    goOn.signal()
    await until { pipeline.isIdle }
  }
}
