import Foundation
import StreamImages
import StreamsExtras
import StreamsTesting
import Testing

/// Recipes that need no operator of their own, each as a user would write it.
@Suite("Publisher chain recipes", .timeLimit(.minutes(20)))
struct ChainTests {
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

  @Test("Loading several images at once yields nil for a missing one")
  func several() async {
    let urls = [bench.url, bench.other]

    let recorder = urls.publisher
      .flatMap { url in pipeline.imagePublisher(with: url).orNil().map { (url, $0?.image) } }
      .collect()
      .record()
    _ = await recorder.ended()

    let pictures = recorder.values.first ?? []
    #expect(pictures.count == 2)
    for (url, image) in pictures { #expect((image != nil) == (url == bench.url)) }
  }

  @Test("An activity tracker counts each load once, however it ends")
  func activity() async throws {
    let tracker = ActivityTracker()
    let isActive = tracker.isActive.record()
    bench.loader.hold(bench.other)

    let loaded = pipeline.imagePublisher(with: bench.url).trackActivity(tracker).record()
    let cancelled = pipeline.imagePublisher(with: bench.other).trackActivity(tracker).record()
    _ = await loaded.ended()
    #expect(tracker.count == 1)
    cancelled.cancel()
    cancelled.cancel()
    let failing = Fail<Int, ImagePipeline.Error>(error: .dataIsEmpty).trackActivity(tracker).record()
    _ = await failing.ended()

    #expect(tracker.count == 0)
    #expect(isActive.values.last == false && isActive.values.contains(true))
    isActive.cancel()
  }

  @Test("A reused cell cancels its previous load, and a failed load ends nothing")
  func cell() async throws {
    let pipeline = pipeline
    let urls = PassthroughSubject<URL, Never>()
    let slow = URL(string: "https://example.org/slow")!
    bench.loader.hold(slow)

    let recorder =
      urls
      .map { url in pipeline.imagePublisher(with: url).replaceError(withImage: failureImage) }
      .switchToLatest()
      .record()
    urls.send(slow)
    await bench.loader.waitForLoad(of: slow)
    urls.send(bench.other)
    _ = await recorder.received(1)
    urls.send(bench.url)
    _ = await recorder.received(2)

    await until { bench.loader.departures(from: slow) == 1 }
    #expect(recorder.values.map(\.width) == [1, 16])
    #expect(recorder.completions.isEmpty)
    recorder.cancel()
  }

  @Test("An image in memory arrives before the subscription returns")
  func synchronous() async throws {
    _ = try await pipeline.image(for: large)

    let recorder = pipeline.imagePublisher(with: large).map(\.image.width).record()

    #expect(recorder.values == [16] && recorder.completions.count == 1)
  }

  @Test("A failure image is shown with its own content mode")
  func failure() async {
    let recorder = pipeline.imagePublisher(with: missing)
      .map { (image: $0.image, mode: ImageContentMode.fill) }
      .catch { [failureImage] _ in Just((image: failureImage, mode: ImageContentMode.fit)) }
      .record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.mode) == [.fit])
  }

  @Test("Previews precede the final image, which `last()` selects")
  func progressive() async throws {
    let bytes = try Pictures.progressiveJPEG()
    bench.loader.answer(bench.url, with: bytes, inPiecesOf: bytes.count / 2 + 1, onDemand: true)
    let pipeline = bench.pipeline { $0.isProgressiveDecodingEnabled = true }

    let all = pipeline.imagePublisher(with: bench.url).record()
    let last = pipeline.imagePublisher(with: bench.url).last().record()
    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendPiece(of: bench.url)
    _ = await all.received(1)
    bench.loader.sendRest(of: bench.url)
    _ = await (all.ended(), last.ended())

    #expect(all.values.map(\.isPreview) == [true, false])
    #expect(last.values.map(\.isPreview) == [false])
  }

  @Test("A placeholder is sent at once, before the image")
  func placeholder() async throws {
    bench.loader.answer(bench.url, with: try Pictures.png(16, 8), onDemand: true)
    let recorder = pipeline.imagePublisher(with: bench.url).map(\.image).prepend(failureImage).record()
    #expect(recorder.values == [failureImage])

    await bench.loader.waitForLoad(of: bench.url)
    bench.loader.sendRest(of: bench.url)
    _ = await recorder.ended()

    #expect(recorder.values.map(\.width) == [1, 16])
  }

  @Test("A second source is loaded if the first one fails")
  func fallback() async {
    let pipeline = pipeline
    let recorder = pipeline.imagePublisher(with: missing)
      .catch { [large] _ in pipeline.imagePublisher(with: large) }
      .record()

    #expect(await recorder.endsWell())
    #expect(recorder.values.map(\.image.width) == [16])
  }

  @Test("A timeout fails and stops the load")
  func timeout() async {
    let scheduler = VirtualScheduler.virtual
    bench.loader.hold(bench.url)

    let recorder = pipeline.imagePublisher(with: bench.url)
      .timeout(5, scheduler: scheduler, customError: { .dataLoadingFailed(.timedOut(.total)) })
      .record()
    await bench.loader.waitForLoad(of: bench.url)
    await scheduler.advance(by: 5)

    guard case .failure(.dataLoadingFailed(.timedOut(.total)))? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
    await until { bench.loader.departures(from: bench.url) == 1 && pipeline.isIdle }
  }

  @Test("A search loads an image only for the final text")
  func search() async {
    let pipeline = pipeline
    let scheduler = VirtualScheduler.virtual
    let names = PassthroughSubject<String, Never>()

    let recorder = names.debounce(for: 1, scheduler: scheduler).removeDuplicates()
      .map { pipeline.imagePublisher(with: URL(string: "https://example.org/\($0).png")).orEmpty() }
      .switchToLatest()
      .record()
    for name in ["x", "y", "a"] { names.send(name) }
    await scheduler.advance(by: 1)
    names.send("a")
    await scheduler.advance(by: 1)
    _ = await recorder.received(1)

    #expect(recorder.values.map(\.image.width) == [16])
    #expect(bench.loader.requests.map(\.url) == [bench.url])
    recorder.cancel()
  }

  @Test("Rounding the visible size to steps limits the variants in the cache")
  func visibleSize() async {
    let (pipeline, url) = (pipeline, bench.url)
    let widths = PassthroughSubject<Double, Never>()

    let recorder = widths.map { ($0 / 4).rounded(.up) * 4 }.removeDuplicates()
      .map {
        pipeline.imagePublisher(with: ImageRequest(url: url, processors: [.resize(width: $0)])).orEmpty()
      }
      .switchToLatest()
      .record()
    widths.send(3)
    _ = await recorder.received(1)
    widths.send(4)
    widths.send(7)
    _ = await recorder.received(2)

    #expect(recorder.values.map(\.image.width) == [4, 8] && bench.memory.entries.count == 2)
    recorder.cancel()
  }

  @Test("A batch loads four images at a time, and collects them in order with nil for failures")
  func batch() async throws {
    let pipeline = pipeline
    let urls = (0..<12).map { URL(string: "https://example.org/\($0).png")! }
    for (index, url) in urls.enumerated() {
      bench.loader.answer(
        url, with: try Pictures.png(index + 1, 1), onDemand: true,
        failingWith: index == 5 ? .headTooLarge : nil)
    }

    let recorder = urls.enumerated().map { ($0.offset, $0.element) }.publisher
      .flatMap(maxPublishers: .max(4)) { index, url in
        pipeline.imagePublisher(with: url).orNil().map { (index, $0?.image.width) }
      }
      .collect()
      .map { $0.sorted { $0.0 < $1.0 }.map(\.1) }
      .record()
    for (index, url) in urls.enumerated() {
      let begun = min(index + 4, 12)
      await until { bench.loader.requests.count >= begun }
      #expect(bench.loader.requests.count == begun)
      bench.loader.sendRest(of: url)
    }
    _ = await recorder.ended()

    let expected: [Int?] = (1...12).map { (number: Int) -> Int? in number == 6 ? nil : number }
    #expect(recorder.values.first == expected)
  }

  @Test("A refresh shows the cached image until a new one is loaded")
  func refresh() async throws {
    let (pipeline, url) = (pipeline, bench.url)
    let scheduler = VirtualScheduler.virtual
    let ticks = PassthroughSubject<Void, Never>()

    let recorder = ticks.receive(on: scheduler)
      .map { pipeline.staleWhileRevalidate(ImageRequest(url: url)).orEmpty() }
      .switchToLatest()
      .map(\.image)
      .removeDuplicates()
      .record()
    ticks.send()
    await scheduler.advance()
    _ = await recorder.received(1)
    await pipeline.flush()
    bench.loader.answer(url, with: try Pictures.png(32, 8))
    ticks.send()
    await scheduler.advance()
    _ = await recorder.received(2)

    #expect(recorder.values.map(\.width) == [16, 32])
    recorder.cancel()
  }
}
