import Foundation
import LoopbackServer
import StreamImages
import Streams
import StreamsFoundationExtras
import Testing

/// The code of the guides to caching and loading.
@Suite("Caching and loading guides", .inRealTime)
struct CachingAndLoadingGuideTests {
  private struct Session: Sendable {
    func newToken(insteadOf rejected: String?) async throws -> String { rejected == nil ? "1" : "2" }
  }

  @Test("The memory cache example keeps an image of the pipeline and observes the memory pressure")
  func memory() async throws {
    let cache = ImageCache(costLimit: 64 << 20)
    cache.lifetime = .seconds(300)
    cache.lifetimeExtension = .byLifetime
    cache.follow(MemoryPressure.system)

    let pipeline = ImagePipeline { $0.imageCache = cache }

    #expect(MemoryMonitor.shared.isWatching)
    // From here on, the machine's memory must not decide what is left in the cache.
    cache.follow(Empty())
    let bytes = try Pictures.png(8, 4).base64EncodedString()
    let request = ImageRequest(url: URL(string: "data:image/png;base64,\(bytes)"))
    let sources = [
      try await pipeline.response(for: request).cacheSource,
      try await pipeline.response(for: request).cacheSource,
    ]
    #expect(sources == [nil, .memory])
    #expect(cache.totalCount == 1)
  }

  @Test("The durable cache example synchronizes its writes")
  func durable() throws {
    let drafts = try DataCache(name: "Drafts", synchronizesWrites: true)

    #expect(drafts.synchronizesWrites)
    #expect(!DataCache.shared.synchronizesWrites)
  }

  @Test("The HTTP cache example stores only what the server allows", .timeLimit(.minutes(20)))
  func http() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    var configuration = ImagePipeline.Configuration()
    configuration.dataLoader = SchemeLoader(network: HTTPCache(CurlLoader.shared))
    configuration.dataCache = nil

    configuration.imageCache = nil
    let pipeline = ImagePipeline(configuration)
    let png = try Pictures.png(8, 4)
    // The cache is the user's, and an earlier run may have stored a response from the same port.
    let name = UUID().uuidString
    for control in ["max-age=60", "no-store"] {
      server.serve("/\(name)/\(control)", .bytes(png).with { $0.headers.append(("Cache-Control", control)) })
      let request = ImageRequest(url: server.url("/\(name)/\(control)"))
      for _ in 0..<2 { #expect(try await pipeline.image(for: request).width == 8) }
      await pipeline.cache.remove(request)
    }

    #expect(server.requests.map(\.path) == ["max-age=60", "no-store", "no-store"].map { "/\(name)/\($0)" })
  }

  @Test("The thumbnail example returns a JPEG", .timeLimit(.minutes(20)))
  func thumbnails() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(640, 480)))
      let (url, pipeline) = (workshop.server.url("/a"), workshop.pipeline())
      let replies = Shared<[String?]>([])
      func reply(_: Data, _ type: String?) { replies.change { $0.append(type) } }

      let request = ImageRequest(url: url, processors: [.resize(width: 320)])
      let thumbnail = try await pipeline.encodedImage(for: request)
      reply(thumbnail.data, thumbnail.contentType)

      await pipeline.flush()
      #expect(replies.value == ["image/jpeg"])
    }
  }

  @Test("The animation example shows the frames", .timeLimit(.minutes(20)))
  func animations() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(640, 480)))
      let (url, pipeline) = (workshop.server.url("/a"), workshop.pipeline())
      let shown = Shared<Set<Int>>([])
      func show(_ image: Image) { shown.change { $0.insert(image.width) } }

      let animation = try await pipeline.animation(for: url)
      let playing = animation.play(on: .main).sink { _ in
      } receiveValue: { frame in
        show(frame.image)
      }
      // Whether the main queue comes to a frame before that is up to the tests beside this one.
      playing.cancel()
      let frames = animation.frames.sink { _ in
      } receiveValue: { frame in
        show(frame.image)
      }

      withExtendedLifetime(frames) {}
      await pipeline.flush()
      #expect(shown.value == [640])
    }
  }

  @Test("The format example encodes a thumbnail as WebP", .timeLimit(.minutes(20)))
  func formats() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(640, 480)))
      let (url, pipeline) = (workshop.server.url("/a"), workshop.pipeline())

      var request = ImageRequest(url: url, processors: [.resize(width: 320)])
      request.encoding = .webp(quality: 0.8, effort: 2)

      #expect(try await pipeline.encodedImage(for: request).contentType == "image/webp")
      await pipeline.flush()
    }
  }

  @Test("The warm-up example loads over the connection that it made", .timeLimit(.minutes(20)))
  func warmStart() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .bytes(try Pictures.png(8, 4)))
    let origin = server.url("/a")

    let loader = CurlLoader()
    try await loader.warmUp(origin)
    let pipeline = ImagePipeline { $0.dataLoader = SchemeLoader(network: loader) }

    #expect(try await pipeline.data(for: ImageRequest(url: origin)).data == Pictures.png(8, 4))
    #expect(server.requests.map(\.method) == ["HEAD", "GET"])
    #expect(server.connectionCount == 1)
    loader.invalidate()
  }

  @Test("The error example counts the code of the error")
  func errors() async throws {
    let codes = Shared<[String]>([])
    func count(_ code: String) { codes.change { $0.append(code) } }
    func retryLater(_: ImageRequest) { codes.change { $0.append("later") } }
    func show(_: Image) {}
    let pipeline = ImagePipeline { $0.dataLoader = SchemeLoader(network: nil) }
    let request: ImageRequest = "https://photos.example/1"

    do throws(ImagePipeline.Error) {
      show(try await pipeline.image(for: request))
    } catch {
      count(error.code)
      if error.isTransient { retryLater(request) }
    }

    #expect(codes.value == ["loading.unsupported-scheme"])
  }

  @Test("The example of stacked loaders sends no token to other origins", .timeLimit(.minutes(20)))
  func layers() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.serve("/a", .bytes(pattern(100)))
    let session = Session()

    let authorization = AuthorizationMiddleware(origins: ["photos.example"]) { rejected in
      try await session.newToken(insteadOf: rejected)
    }
    let network = CurlLoader.shared.with(RetryMiddleware(maximumRetryCount: 2), authorization)
    let loader = SchemeLoader(network: HTTPCache(ResumableLoader(network)))

    #expect(try await loader.data(for: DataRequest(url: server.url("/a"))).body == pattern(100))
    #expect(server.requests.first?[header: "Authorization"] == nil)
  }
}
