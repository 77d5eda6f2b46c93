import Foundation
import StreamImages
import StreamsTesting
import Testing

/// Nobody receives the error of a request that is cancelled, but its stages report how they ended.
@Suite("`ImagePipeline`: cancelled stages", .timeLimit(.minutes(1)))
struct CancelledStageTests {
  private let bench = Bench()

  /// Throws its error once its task is cancelled.
  private static func wait(_ begun: Latch, throwing error: any Error) async throws -> Never {
    begun.open()
    while !Task.isCancelled { await Task.yield() }
    throw error
  }

  private struct Delegate: ImagePipelineDelegate {
    let willLoad: @Sendable () async throws -> Void

    func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
      try await willLoad()
      return address
    }
  }

  /// Cancels a request when something has begun, and returns how its last stage ended.
  private func last(
    _ stage: StageEvent.Stage, _ pipeline: ImagePipeline, _ request: ImageRequest, _ begun: Latch
  ) async -> StageEvent? {
    let stages = pipeline.stageEvents.record()
    let task = pipeline.imageTask(with: request)
    await begun.wait()
    task.cancel()
    await until { stages.values.contains { $0.stage == stage } && pipeline.isIdle }
    stages.cancel()
    return stages.values.last { $0.stage == stage }
  }

  @Test(
    "A source that fails because it is cancelled is reported as cancelled, whatever it throws",
    arguments: [0, 1, 2, 3])
  func sources(_ number: Int) async {
    let errors: [any Error] = [
      CancellationError(), DataLoadingError.headTooLarge, ImagePipeline.Error.dataIsEmpty,
      ImageCodecError.truncated,
    ]
    let error = errors[number]
    let (data, image, delegate) = (Latch(), Latch(), Latch())
    for (request, begun) in [
      (ImageRequest(id: "a", data: { try await Self.wait(data, throwing: error) }), data),
      (ImageRequest(id: "b", image: { try await Self.wait(image, throwing: error) }), image),
      (ImageRequest(url: bench.url), delegate),
    ] {
      let pipeline = bench.pipeline {
        $0.delegate = Delegate { try await Self.wait(delegate, throwing: error) }
      }
      let event = await last(.load, pipeline, request, begun)
      #expect(event?.outcome == .cancelled && event?.errorCode == nil)
    }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test("A source that returns although it is cancelled is reported as cancelled")
  func returning() async {
    let (data, image, delegate) = (Latch(), Latch(), Latch())
    let wait: @Sendable (Latch) async -> Void = { begun in
      _ = try? await Self.wait(begun, throwing: CancellationError())
    }
    for (request, begun) in [
      (
        ImageRequest(
          id: "a",
          data: {
            await wait(data)
            return try Pictures.png(8, 4)
          }), data
      ),
      (
        ImageRequest(
          id: "b",
          image: {
            await wait(image)
            return try Pictures.gradient(2, 1)
          }), image
      ),
      (ImageRequest(url: bench.url), delegate),
    ] {
      let pipeline = bench.pipeline { $0.delegate = Delegate { await wait(delegate) } }
      let event = await last(.load, pipeline, request, begun)
      #expect(event?.outcome == .cancelled && event?.errorCode == nil)
    }
    #expect(bench.loader.requests.isEmpty)
  }

  @Test(
    "A closure of a request that is cancelled while it waits for room is not called",
    arguments: [true, false])
  func waiting(_ isImage: Bool) async {
    bench.loader.answer(bench.url, with: (try? Pictures.png(8, 4)) ?? Data())
    let calls = Shared(0)
    let pipeline = bench.pipeline { $0.loadedByteBudget = 0 }
    pipeline.suspend(.decoding)
    let first = pipeline.imageTask(with: bench.url)
    await until { pipeline.decodingCounts.waiting == 1 }
    let request =
      isImage
      ? ImageRequest(
        id: "a",
        image: {
          calls.change { $0 += 1 }
          return try Pictures.gradient(2, 1)
        })
      : ImageRequest(
        id: "a",
        data: {
          calls.change { $0 += 1 }
          return try Pictures.png(8, 4)
        })
    let stages = pipeline.stageEvents.record()

    let second = pipeline.imageTask(with: request)
    await until { pipeline.loaded.waitingCount == 1 }
    second.cancel()
    await until { stages.values.contains { $0.stage == .load } }
    pipeline.resume(.decoding)
    _ = await first.failure()
    await until { pipeline.isIdle }

    #expect(calls.value == 0)
    #expect(stages.values.first { $0.stage == .load }?.outcome == .cancelled)
    stages.cancel()
  }

  @Test("An encoder that fails for a request that is cancelled is reported as cancelled")
  func encoding() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(8, 4))
    let encoder = HeldEncoder()
    let pipeline = bench.pipeline { $0.encoder = encoder }
    let request = ImageRequest(url: bench.url, processors: [ScriptedProcessor("a")])
    let stages = pipeline.stageEvents.record()
    let recorder = pipeline.encodedImagePublisher(with: request).record()
    await encoder.begun.wait()

    recorder.cancel()
    encoder.goOn.signal()
    await until { stages.values.contains { $0.stage == .encode } }

    let event = stages.values.last { $0.stage == .encode }
    #expect(event?.outcome == .cancelled && event?.errorCode == nil)
    stages.cancel()
  }
}
