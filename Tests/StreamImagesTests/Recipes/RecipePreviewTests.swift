import Foundation
import StreamImages
import StreamsTesting
import Testing

/// Recipes for requests of which the memory has a preview: only the last step of a chain may publish it.
@Suite("Previews in recipes", .timeLimit(.minutes(1)))
struct RecipePreviewTests {
  private let bench = Bench()
  private let pipeline: ImagePipeline

  private var large: ImageRequest { ImageRequest(url: bench.url) }
  private var small: ImageRequest { ImageRequest(url: bench.url, processors: [.resize(width: 4)]) }
  private var missing: ImageRequest { ImageRequest(url: bench.other) }

  init() throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8))
    pipeline = bench.pipeline()
    for request in [large, small, missing] {
      pipeline.cache[request] = DecodedImage(try Pictures.gradient(1, 1), isPreview: true)
    }
  }

  private func widths(_ publisher: some Publisher<ImageResponse, ImagePipeline.Error>) async -> [Int] {
    let recorder = publisher.record()
    _ = await recorder.ended()
    return recorder.values.map(\.image.width)
  }

  @Test("The low resolution is published without previews, and the high one with them")
  func lowThenHigh() async {
    #expect(await widths(pipeline.lowThenHigh(small, large)) == [4, 1, 16])
  }

  @Test("Only the last of several candidates has previews")
  func firstAvailable() async {
    #expect(await widths(pipeline.firstAvailable([missing, small, large])) == [4])
    #expect(await widths(pipeline.firstAvailable([missing, large])) == [1, 16])
  }

  @Test("A preview does not win the race of several images, and a failure before the end does not lose it")
  func fastest() async throws {
    #expect(await widths(pipeline.fastest([large])) == [16])
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8), onDemand: true)
    let anew = ImageRequest(url: bench.url, options: .reloadIgnoringCachedData)
    let recorder = pipeline.fastest([missing, anew]).record()
    await bench.loader.waitForLoad(of: bench.other)
    await bench.loader.waitForLoad(of: bench.url, count: 2)
    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == [16])
  }

  @Test("A preview is not a cached image, and the new one is loaded once")
  func staleWhileRevalidate() async {
    #expect(await widths(pipeline.staleWhileRevalidate(large)) == [16])
    #expect(bench.loader.loads(of: bench.url) == 1)
  }

  @Test("A new image that replaces a cached one has no previews")
  func revalidated() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let decoder = bench.decoder
    let pipeline = bench.pipeline { $0.isProgressiveDecodingEnabled = true }
    let recorder = pipeline.staleWhileRevalidate(ImageRequest(url: bench.url, options: .disableMemoryCache))
      .record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    await until { decoder.previewRuns.count == 1 && pipeline.counts(of: .decoding) == (0, 0) }
    bench.loader.sendRest(of: bench.url)

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.isPreview) == [false])
  }

  @Test(
    "To save data, the cached image stands in for a small one that is missing; otherwise the large one follows"
  )
  func sparing() async {
    #expect(await widths(pipeline.sparing(large, orElse: small) { false }) == [1, 16])
    #expect(await widths(pipeline.sparing(large, orElse: missing) { true }) == [16])
  }

  @Test("A hash is made once of a small image, and not of a preview")
  func hashes() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(400, 200))
    let size = ImageProcessors.Resize(size: CGSize(width: 100, height: 100), contentMode: .aspectFit)
    let request = ImageRequest(url: bench.url, processors: [size])
    pipeline.cache[request] = DecodedImage(try Pictures.gradient(1, 1), isPreview: true)

    let thumb = pipeline.thumbHashPublisher(with: large).record()
    #expect(await thumb.endsWell())
    let blur = pipeline.blurHashPublisher(with: large).record()
    #expect(await blur.endsWell())

    let image = try #require(pipeline.cache[request]?.image)
    #expect(image.size == PixelSize(width: 100, height: 50))
    #expect(try thumb.values == [ThumbHash(encoding: image)])
    #expect(try blur.values == [BlurHash(encoding: image, columns: 4, rows: 3)])
  }

  @Test("Images are compared by their pixels, and a preview never replaces an image")
  func quality() throws {
    let sizes = [
      (2, 3, true), (5, 1, true), (4, 1, true), (3, 2, true), (1, 1, false), (9, 9, true), (1, 2, false),
    ]
    let responses = try sizes.map { width, height, isPreview in
      ImageResponse(
        request: large, decoded: DecodedImage(try Pictures.gradient(width, height), isPreview: isPreview))
    }

    let recorder = responses.publisher.preferringHigherQuality().record()

    #expect(
      recorder.values.map(\.image.size)
        == [(2, 3), (3, 2), (1, 1), (1, 2)].map { PixelSize(width: $0.0, height: $0.1) })
  }

  @Test("An activity is reported when it begins, when it ends, and when its publisher is released")
  func activity() {
    let tracker = ActivityTracker()
    let (counts, isActive) = (tracker.counts.record(), tracker.isActive.record())
    var subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]

    let first = subjects[0].trackActivity(tracker).record()
    subjects[0].send(completion: .finished)
    first.cancel()
    let second = subjects[1].trackActivity(tracker).record()
    let third = subjects[1].trackActivity(tracker).record()
    second.cancel()
    subjects = []
    third.forget()

    #expect(counts.values == [0, 1, 0, 1, 2, 1, 0] && isActive.values == [false, true, false, true, false])
    #expect(tracker.count == 0)
    counts.cancel()
    isActive.cancel()
  }

  @Test("A publisher without a value is not replaced by nil, and a failure is")
  func fallbacks() {
    let empty = Empty<Int, ImagePipeline.Error>().orNil().record()
    let failing = Fail<Int, ImagePipeline.Error>(error: .dataIsEmpty).prepend(1).orNil().record()
    let silent = Fail<Int, ImagePipeline.Error>(error: .dataIsEmpty).prepend(1).orEmpty().record()

    #expect(empty.values == [] && failing.values == [1, nil] && silent.values == [1])
    #expect(silent.completions.count == 1)
  }
}
