import Foundation
import StreamImages
import StreamsTesting
import Testing

@Suite("Placeholders", .timeLimit(.minutes(20)))
struct PlaceholderTests {
  private let bench = Bench()
  private let pipeline: ImagePipeline

  init() throws {
    bench.loader.answer(bench.url, with: try Pictures.png(160, 80))
    pipeline = bench.pipeline()
  }

  private var large: ImageRequest { ImageRequest(url: bench.url) }
  private var small: ImageRequest { ImageRequest(url: bench.url, processors: [.resize(width: 40)]) }

  @Test("A chain publishes the placeholder, then the low resolution, then the high one")
  func chain() async throws {
    let hash = try ThumbHash(encoding: Pictures.gradient(16, 8))

    let images = pipeline.lowThenHigh(small, large)
      .prependingPlaceholder(try hash.image(), of: small)
    let recorder = images.record()

    let placeholder = try hash.image()
    #expect(recorder.values.first?.image == placeholder)
    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == [32, 40, 160])
    #expect(recorder.values.map(\.isPreview) == [true, false, false])
    #expect(recorder.values.first?.origin == .program && recorder.values.first?.cacheSource == nil)
  }

  @Test("A placeholder precedes a failure, and without a placeholder nothing is added")
  func absent() async throws {
    let missing = ImageRequest(url: bench.other)
    let placeholder = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(width: 4, height: 3)

    let failing = pipeline.imagePublisher(with: missing).prependingPlaceholder(placeholder, of: missing)
      .record()
    let bare = pipeline.imagePublisher(with: large).prependingPlaceholder(nil, of: large).record()

    guard case .failure(.dataLoadingFailed)? = await failing.ended() else {
      return unexpected(failing.events)
    }
    #expect(failing.values.map(\.image) == [placeholder])
    #expect(await bare.endsWell())
    #expect(bare.values.map(\.image.width) == [160])
  }

  @Test("The hashes of an image are published, and a failure of its load is")
  func hashing() async throws {
    let image = try await pipeline.image(for: large)

    let thumb = pipeline.thumbHashPublisher(with: large).record()
    let blur = pipeline.blurHashPublisher(with: large, columns: 2, rows: 2).record()
    let failing = pipeline.thumbHashPublisher(with: ImageRequest(url: bench.other)).record()
    let invalid = pipeline.blurHashPublisher(with: large, columns: 10).record()

    #expect(await thumb.endsWell())
    #expect(await blur.endsWell())
    #expect(try thumb.values == [ThumbHash(encoding: image)])
    #expect(try blur.values == [BlurHash(encoding: image, columns: 2, rows: 2)])
    guard case .failure(.dataLoadingFailed)? = await failing.ended() else {
      return unexpected(failing.events)
    }
    guard case .failure(.processingFailed(let processor, _))? = await invalid.ended() else {
      return unexpected(invalid.events)
    }
    #expect(processor == "BlurHash")
  }
}
