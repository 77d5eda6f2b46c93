import Foundation
import StreamImages
import StreamsTesting
import Testing

/// The recipes of loading, each as a user would write it.
@Suite("Loading recipes", .timeLimit(.minutes(20)))
struct RecipeTests {
  private let bench = Bench()
  private let pipeline: ImagePipeline
  private let failureImage: Image

  init() throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8))
    pipeline = bench.pipeline()
    failureImage = try Pictures.gradient(1, 1)
  }

  private var large: ImageRequest { ImageRequest(url: bench.url) }
  private var small: ImageRequest { ImageRequest(url: bench.url, processors: [.resize(width: 4)]) }
  private var missing: ImageRequest { ImageRequest(url: bench.other) }

  @Test("The low resolution precedes the high one, and its failure is ignored", arguments: [true, false])
  func lowThenHigh(isLowThere: Bool) async throws {
    let recorder = pipeline.lowThenHigh(isLowThere ? small : missing, large).record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == (isLowThere ? [4, 16] : [16]))
  }

  @Test("A cached high resolution omits the low one, and its failure is delivered")
  func highOnly() async throws {
    _ = try await pipeline.image(for: large)

    let cached = pipeline.lowThenHigh(missing, large).record()
    #expect(cached.values.map(\.image.width) == [16] && bench.loader.loads(of: bench.other) == 0)
    let failing = pipeline.lowThenHigh(small, missing).record()

    guard case .failure(.dataLoadingFailed)? = await failing.ended() else {
      return unexpected(failing.events)
    }
    #expect(failing.values.map(\.image.width) == [4])
  }

  @Test("The first available image is delivered, and no later one is requested")
  func firstAvailable() async throws {
    let recorder = pipeline.firstAvailable([missing, large, small]).record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == [16])
    #expect(bench.loader.requests.map(\.url) == [bench.other, bench.url])
  }

  @Test("The last failure is delivered if no image is available")
  func noneAvailable() async {
    bench.loader.fail(URL(string: "https://example.org/c"), with: .headTooLarge)
    let recorder = pipeline.firstAvailable([missing, "https://example.org/c"]).record()
    let none = pipeline.firstAvailable([]).record()

    guard case .failure(.dataLoadingFailed(.headTooLarge))? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
    guard case .failure(.imageRequestMissing)? = await none.ended() else { return unexpected(none.events) }
  }

  @Test("The fastest image is delivered and the others are cancelled")
  func fastest() async throws {
    let slow = URL(string: "https://example.org/slow")
    bench.loader.hold(slow)
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8), onDemand: true)

    let recorder = pipeline.fastest([ImageRequest(url: slow), missing, large]).record()
    // One that is cancelled before it has begun does not depart.
    await bench.loader.waitForLoad(of: slow)
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    #expect(await recorder.endsWell())
    let failing = pipeline.fastest([missing, missing]).record()
    let none = pipeline.fastest([]).record()

    #expect(recorder.values.map(\.image.width) == [16])
    guard case .failure(.imageRequestMissing)? = await none.ended() else { return unexpected(none.events) }
    guard case .failure(.dataLoadingFailed)? = await failing.ended() else {
      return unexpected(failing.events)
    }
    await until { bench.loader.departures(from: slow) == 1 && pipeline.isIdle }
  }

  @Test("The cached image is followed by a new one if it has changed", arguments: [true, false])
  func staleWhileRevalidate(hasChanged: Bool) async throws {
    _ = try await pipeline.image(for: large)
    await pipeline.flush()
    if hasChanged { bench.loader.answer(bench.url, with: try Pictures.png(32, 8)) }

    let recorder = pipeline.staleWhileRevalidate(large).record()
    #expect(await recorder.endsWell())

    #expect(recorder.values.map(\.image.width) == (hasChanged ? [16, 32] : [16]))
    #expect(bench.loader.loads(of: bench.url) == 2)
  }

  @Test(
    "An empty cache delivers a new image, and offline the cached one precedes the failure")
  func staleOnly() async throws {
    let first = pipeline.staleWhileRevalidate(large).record()
    #expect(await first.endsWell())
    bench.loader.fail(bench.url, with: .cannotResolve(host: "example.org"))

    let offline = pipeline.staleWhileRevalidate(large).record()

    guard case .failure(.dataLoadingFailed)? = await offline.ended() else {
      return unexpected(offline.events)
    }
    #expect(first.values.count == 1 && offline.values.count == 1)
  }

  @Test("A constrained network delivers the cached image or a small one")
  func lowData() async throws {
    let isConstrained = Shared(true)
    let publisher = pipeline.sparing(large, orElse: small) { isConstrained.value }

    let first = publisher.record()
    _ = await first.ended()
    isConstrained.change { $0 = false }
    let second = publisher.record()
    _ = await second.ended()
    isConstrained.change { $0 = true }
    let third = publisher.record()
    _ = await third.ended()

    #expect((first.values + second.values + third.values).map(\.image.width) == [4, 16, 16])
  }

  @Test("A cached variant is delivered as a preview until the image is loaded")
  func cachedVariant() async throws {
    _ = try await pipeline.image(for: small)
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8), onDemand: true)
    let anew = ImageRequest(url: bench.url, options: .reloadIgnoringCachedData)

    let recorder = pipeline.imagePublisher(with: anew).prependingCached(of: [missing, small], in: pipeline)
      .record()
    #expect(recorder.values.map(\.image.width) == [4] && recorder.values[0].isPreview)
    await bench.loader.waitForLoad(of: bench.url, count: 2)
    bench.loader.sendRest(of: bench.url)
    _ = await recorder.ended()

    #expect(recorder.values.map(\.image.width) == [4, 16])
  }

  @Test("A late preview or smaller image is dropped")
  func quality() throws {
    let response = { (width: Int, isPreview: Bool) throws in
      ImageResponse(
        request: large, decoded: DecodedImage(try Pictures.gradient(width, 1), isPreview: isPreview))
    }
    let responses = try [
      (2, true), (4, true), (3, true), (4, false), (8, true), (2, false), (4, false), (8, false),
    ]
    .map { try response($0.0, $0.1) }

    let recorder = responses.publisher.preferringHigherQuality().record()

    #expect(recorder.values.map(\.image.width) == [2, 4, 4, 4, 8])
    #expect(recorder.values.map(\.isPreview) == [true, true, false, false, false])
  }

  @MainActor
  @Test("A target displays images as they arrive, and then the failure image")
  func displaying() async throws {
    let target = Display()
    var options = ImageLoadingOptions()
    options.failureImage = failureImage
    options.transition = .fadeIn()
    _ = try await pipeline.image(for: small)

    let subscription = pipeline.imagePublisher(with: small).append(pipeline.imagePublisher(with: large))
      .append(pipeline.imagePublisher(with: missing)).displaying(in: target, options: options)
    while target.shown.count < 3, !Task.isCancelled { await Task.yield() }

    #expect(target.roles == [.picture, .picture, .failure])
    #expect(target.shown.map(\.transition) == [.none, .fadeIn(), .none])
    subscription.cancel()
  }

  @MainActor
  @Test("A publisher displays previews in a target only if they are enabled", arguments: [true, false])
  func displayingPreviews(_ showsPreviews: Bool) async throws {
    let target = Display()
    var options = ImageLoadingOptions()
    options.showsPreviews = showsPreviews
    let responses = try [true, false].map { isPreview in
      ImageResponse(
        request: large, decoded: DecodedImage(try Pictures.gradient(2, 1), isPreview: isPreview))
    }

    let subscription = responses.publisher.setFailureType(to: ImagePipeline.Error.self)
      .displaying(in: target, options: options)
    while target.roles.last != .picture, !Task.isCancelled { await Task.yield() }

    #expect(target.roles == (showsPreviews ? [.preview, .picture] : [.picture]))
    subscription.cancel()
  }
}
