import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

/// The contract of the publisher, point by point.
@Suite("`ImagePublisher`", .timeLimit(.minutes(20)))
struct ImagePublisherTests {
  @Test("`ImagePublisher` starts nothing before the first demand")
  func cold() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))

      let publisher = pipeline.imagePublisher(with: workshop.server.url("/a"))
      let recorder = publisher.record(demand: .none)
      #expect(pipeline.isIdle)
      recorder.request(.max(1))

      #expect(await recorder.received(1).first?.image.size == PixelSize(width: 64, height: 48))
      #expect(workshop.loads(of: "/a") == 1)
    }
  }

  @Test("The response describes the image, and the publisher finishes")
  func response() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(20, 10)
      workshop.server.serve("/a", .redirect(to: "/b"))
      workshop.server.serve("/b", .bytes(bytes))
      let request = ImageRequest(url: workshop.server.url("/a"), priority: .high)

      let recorder = workshop.pipeline().imagePublisher(with: request).record()

      guard case .finished? = await recorder.ended() else { return unexpected(recorder.events) }
      let response = try #require(recorder.values.first)
      #expect(response.request == request)
      #expect(try response.image == Pictures.gradient(20, 10))
      #expect(response.format == .png)
      #expect(response.byteCount == bytes.count)
      #expect(response.url == workshop.server.url("/b"))
      #expect(response.cacheSource == nil)
      #expect(response.origin == .network)
      #expect(!response.isPreview)
    }
  }

  /// A request whose job is a script, so that previews can be had.
  private func scripted(
    _ pipeline: ImagePipeline, _ demand: Subscribers.Demand
  ) throws -> (work: ScriptedWork<DecodedImage>, Recorder<ImageResponse, ImagePipeline.Error>) {
    let request: ImageRequest = "https://example.org/a.png"
    let work = ScriptedWork<DecodedImage>()
    let opener = pipeline.images.publisher(try #require(ImageJobKey(request)), for: DynamicPriority(.normal))
    { _ in work.step }
    .record()
    let recorder = pipeline.imagePublisher(with: request).record(demand: demand)
    opener.cancel()
    return (work, recorder)
  }

  private func picture(_ width: Int, isPreview: Bool = false) throws -> DecodedImage {
    DecodedImage(try Pictures.gradient(width, 1), isPreview: isPreview)
  }

  @Test("Previews precede the image and the completion, and are not cached")
  func previews() throws {
    let pipeline = ImagePipeline {
      $0.imageCache = ImageCache(costLimit: 1 << 20)
      $0.dataCache = nil
    }
    let (work, recorder) = try scripted(pipeline, .unlimited)

    work.show(try picture(1, isPreview: true))
    #expect(
      pipeline.configuration.imageCache?[ImageCacheKey("https://example.org/a.png" as ImageRequest)] == nil)
    work.show(try picture(2, isPreview: true))
    work.finish(try picture(3))

    #expect(recorder.values.map(\.image.width) == [1, 2, 3])
    #expect(recorder.values.map(\.isPreview) == [true, true, false])
    #expect(recorder.completions.count == 1)
    let cached = pipeline.configuration.imageCache?[
      ImageCacheKey("https://example.org/a.png" as ImageRequest)]
    #expect(cached?.image.width == 3)
  }

  @Test("Previews are omitted if they are not requested")
  func withoutPreviews() throws {
    let pipeline = ImagePipeline {
      $0.imageCache = nil
      $0.dataCache = nil
    }
    let (work, _) = try scripted(pipeline, .unlimited)
    let recorder = pipeline.imagePublisher(with: "https://example.org/a.png", includingPreviews: false)
      .record()

    work.show(try picture(1, isPreview: true))
    work.finish(try picture(2))

    #expect(recorder.values.map(\.image.width) == [2])
  }

  @Test("A cached preview is sent first, and then the image")
  func cachedPreview() throws {
    let cache = ImageCache(costLimit: 1 << 20)
    let pipeline = ImagePipeline {
      $0.imageCache = cache
      $0.dataCache = nil
    }
    cache[ImageCacheKey("https://example.org/a.png" as ImageRequest)] = try picture(1, isPreview: true)
    let (work, recorder) = try scripted(pipeline, .unlimited)
    #expect(recorder.values.map(\.cacheSource) == [.memory])

    work.finish(try picture(2))

    #expect(recorder.values.map(\.isPreview) == [true, false])
    #expect(recorder.values.map(\.image.width) == [1, 2])
    #expect(cache[ImageCacheKey("https://example.org/a.png" as ImageRequest)]?.isPreview == false)
  }

  @Test("A cached image is delivered within the request, and not before")
  func memoryHit() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .bytes(try Pictures.jpeg()))
      _ = try await pipeline.image(for: workshop.server.url("/a"))

      let recorder = pipeline.imagePublisher(with: workshop.server.url("/a")).record(demand: .none)
      #expect(recorder.values.isEmpty)
      recorder.request(.max(1))

      #expect(recorder.values.map(\.cacheSource) == [.memory])
      #expect(recorder.completions.count == 1)
      #expect(workshop.loads(of: "/a") == 1)

      var valuesWhenAsked: Int?
      let eager = pipeline.imagePublisher(with: workshop.server.url("/a")).record { recorder in
        recorder.onSubscription = { recorder in
          recorder.request(.unlimited)
          valuesWhenAsked = recorder.values.count
        }
      }
      #expect(valuesWhenAsked == 0)
      #expect(eager.values.count == 1)
    }
  }

  @Test("Cancelling stops the load, releases the subscriber and sends nothing more")
  func cancelling() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline()
      workshop.server.serve("/a", .failing(.silence))
      let lifetimes = Lifetimes()
      let recorder = pipeline.imagePublisher(with: workshop.server.url("/a")).record {
        let probe = lifetimes.probe("subscriber")
        $0.onValue = { [probe] _, _ in _ = probe }
      }
      _ = await workshop.server.event { if case .requested = $0 { true } else { false } }

      recorder.cancel()
      recorder.cancel()
      recorder.onValue = nil

      #expect(await workshop.server.waitForDeparture(from: "/a"))
      #expect(recorder.events.count == 1)
      #expect(lifetimes.living == [])
    }
  }

  @Test("A missing URL fails with a typed error")
  func missingURL() async throws {
    let recorder = ImagePipeline { $0.dataCache = nil }.imagePublisher(with: nil).record()

    guard case .failure(.dataLoadingFailed(.badURL))? = await recorder.ended() else {
      return unexpected(recorder.events)
    }
  }

  @Test("A failed load, decoding or processing fails with its own typed error, and sends no image")
  func failure() async throws {
    struct Broken: Error {}
    try await withWorkshop { workshop in
      let png = try Pictures.png()
      workshop.server.serve("/image", .bytes(png))
      workshop.server.serve("/page", .html("<html>Please log in"))
      workshop.server.serve("/half", .bytes(png.prefix(png.count / 2)))
      func failure(
        at path: String, _ processors: [any ImageProcessing] = []
      ) async -> ImagePipeline.Error? {
        let request = ImageRequest(url: workshop.server.url(path), processors: processors)
        let recorder = workshop.pipeline().imagePublisher(with: request).record()
        defer { #expect(recorder.values.isEmpty, "\(path)") }
        if case .failure(let error)? = await recorder.ended() { return error }
        return nil
      }

      let (missing, page, half) = (
        await failure(at: "/none"), await failure(at: "/page"), await failure(at: "/half")
      )
      let broken = await failure(at: "/image", [ScriptedProcessor("a") { _ in throw Broken() }])

      if case .dataLoadingFailed(.status(404, _)) = missing {} else { unexpected(missing) }
      if case .notAnImage = page {} else { unexpected(page) }
      if case .decodingFailed = half {} else { unexpected(half) }
      if case .processingFailed("scripted a", is Broken) = broken {} else { unexpected(broken) }
    }
  }

  @Test("Publishers can be subscribed and cancelled from many threads at once")
  func concurrent() async throws {
    try await withWorkshop { workshop in
      let pipeline = workshop.pipeline { $0.imageCache = nil }
      for index in 0..<4 { workshop.server.serve("/\(index)", .bytes(try Pictures.jpeg(16, 16))) }

      await withTaskGroup { group in
        for index in 0..<80 {
          group.addTask {
            let url = workshop.server.url("/\(index % 4)")
            let recorder = pipeline.imagePublisher(with: url).record(demand: .max(1))
            if index.isMultiple(of: 3) {
              recorder.cancel()
            } else {
              recorder.request(.max(1))
              guard case .finished? = await recorder.ended() else { return unexpected(recorder.events) }
              #expect(recorder.values.count == 1)
            }
          }
        }
      }

      #expect(pipeline.images.count == 0)
      #expect(pipeline.originals.count == 0)
    }
  }

  @Test("A small image and the original can be chained")
  func chain() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.jpeg(64, 48)))
      let pipeline = workshop.pipeline()
      let url = workshop.server.url("/a")

      let recorder = pipeline.imagePublisher(with: ImageRequest(url: url, processors: [.resize(width: 16)]))
        .append(pipeline.imagePublisher(with: url))
        .map(\.image.width)
        .catch { _ in Just(0) }
        .record()

      _ = await recorder.ended()
      #expect(recorder.values == [16, 64])
    }
  }
}
