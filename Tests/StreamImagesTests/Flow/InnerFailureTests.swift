import Foundation
import StreamImages
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("Cancellation errors of components", .timeLimit(.minutes(1)))
struct InnerFailureTests {
  enum Part: String, CaseIterable, Sendable {
    case decoder, codec, asynchronousDecoder, processor, codecInProcessor, loader, body, source,
      pipelineInSource
    case picture, delegate
  }

  private struct LeavingDelegate: ImagePipelineDelegate {
    func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
      throw CancellationError()
    }
  }

  private struct LeavingDecoder: AsyncImageDecoding {
    func canDecode(_ data: Data) -> Bool { true }
    func decode(_ data: Data, _ context: ImageDecodingContext) async throws -> Image {
      throw CancellationError()
    }
  }

  private let bench = Bench()

  /// A pipeline one of whose parts throws what only those who were cancelled should, and a request that meets it.
  private func make(_ part: Part) throws -> (ImagePipeline, ImageRequest) {
    let bytes = try Pictures.png(8, 4)
    bench.loader.answer(bench.url, with: bytes)
    var request = ImageRequest(url: bench.url)
    var decoder = bench.decoder
    let registry = ImageDecoderRegistry()
    var delegate: (any ImagePipelineDelegate)?
    switch part {
    case .decoder: decoder = ScriptedDecoder { _ in throw CancellationError() }
    case .codec: decoder = ScriptedDecoder { _ in throw ImageCodecError.cancelled }
    case .asynchronousDecoder: registry.register(LeavingDecoder())
    case .processor: request.processors = [ScriptedProcessor("a") { _ in throw CancellationError() }]
    case .codecInProcessor:
      request.processors = [ScriptedProcessor("a") { _ in throw ImageCodecError.cancelled }]
    case .loader: bench.loader.fail(bench.url, with: .cancelled)
    case .body: bench.loader.answer(bench.url, with: bytes, failingWith: .cancelled)
    case .source: request = ImageRequest(id: "a", data: { throw CancellationError() })
    case .pipelineInSource: request = ImageRequest(id: "a", data: { throw ImagePipeline.Error.cancelled })
    case .picture: request = ImageRequest(id: "a", image: { throw CancellationError() })
    case .delegate: delegate = LeavingDelegate()
    }
    return (
      bench.pipeline {
        $0.decoders = [decoder]
        $0.decoderRegistry = registry
        $0.delegate = delegate
      }, request
    )
  }

  @Test(
    "A component that throws a cancellation error fails the request without cancelling it",
    arguments: Part.allCases)
  func four(_ part: Part) async throws {
    let (pipeline, request) = try make(part)

    let recorder = pipeline.imagePublisher(with: request).record()
    guard case .failure(let published)? = await recorder.ended() else { return unexpected(recorder.events) }
    #expect(!published.isCancellation)

    do throws(ImagePipeline.Error) {
      _ = try await pipeline.image(for: request)
      unexpected("a picture")
    } catch {
      #expect(!error.isCancellation)
    }

    let calls = Shared<[Bool]>([])
    let task = pipeline.loadImage(with: request, on: .immediate) { result in
      if case .failure(let error) = result { calls.change { $0.append(error.isCancellation) } }
    }
    let events = task.eventPublisher.record()
    #expect(await task.failure()?.isCancellation == false && !task.isCancelled)
    #expect(await events.ended() == .finished)
    await until { !calls.value.isEmpty }
    #expect(calls.value == [false])
  }

  @Test(
    "A component that throws a cancellation error leaves no target waiting",
    arguments: [Part.decoder, .loader])
  @MainActor
  func targets(_ part: Part) async throws {
    let (pipeline, request) = try make(part)
    let (picture, target) = (FetchImage(pipeline: pipeline), Display())
    var options = ImageLoadingOptions()
    options.pipeline = pipeline
    let ends = Shared(0)
    picture.onCompletion = { _ in ends.change { $0 += 1 } }

    picture.load(request)
    while picture.isLoading, !Task.isCancelled { await Task.yield() }
    let task = loadImage(with: request, options: options, into: target) { _ in ends.change { $0 += 1 } }
    _ = await task?.failure()
    while target.imageSlot.isLoading, !Task.isCancelled { await Task.yield() }

    #expect(picture.error != nil && ends.value == 2)
  }

  @Test("`FetchImage` reports a publisher that fails with a cancellation error")
  @MainActor
  func ownPublisher() {
    let picture = FetchImage(pipeline: bench.pipeline())
    var ends = 0
    picture.onCompletion = { _ in ends += 1 }

    picture.load(Fail<ImageResponse, ImagePipeline.Error>(error: .cancelled))

    #expect(picture.error != nil && ends == 1 && !picture.isLoading)
  }
}
