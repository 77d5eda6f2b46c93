import Foundation
import LoopbackServer
import StreamImages
import StreamsTesting
import Testing

private enum ContentMode { case fill, fit }

@Suite("README examples", .inRealTime)
struct ReadmeTests {
  @Test("The Streams example maps names to greetings")
  func streams() {
    var greetings: [String] = []

    let name = CurrentValueSubject<String, Never>("")
    let subscription =
      name
      .filter { !$0.isEmpty }
      .map { "Hello, \($0)." }
      .sink { greetings.append($0) }
    name.send("Ada")
    name.send("Grace")

    subscription.cancel()
    name.send("Nobody")
    #expect(greetings == ["Hello, Ada.", "Hello, Grace."])
  }

  @Test("The StreamsFoundation example delivers squares on another queue")
  func foundation() async {
    let results = DispatchQueue(label: "results")
    let squares = (1...3).publisher
      .subscribe(on: DispatchQueue.global())
      .map { $0 * $0 }
      .receive(on: results)

    let recorder = squares.record()
    _ = await recorder.ended()

    #expect(recorder.values == [1, 4, 9])
  }

  @Test("The StreamsTesting example delivers values when its scheduler advances")
  func testing() {
    let scheduler = VirtualScheduler.virtual
    let upstream = Script(Int.self, failure: Never.self)
    let recorder = upstream.map { $0 * 2 }.receive(on: scheduler).record(demand: .max(2))

    upstream.say(1, 2)
    #expect(recorder.values == [])

    scheduler.advance()
    #expect(recorder.values == [2, 4])
    #expect(upstream.demands == [.max(2)])
    recorder.cancel()
  }

  @Test("The StreamImages example sends the resized image, then the original")
  func images() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let photo = try Image(width: 640, height: 400, pixelFormat: .rgb8)
    server.serve("/photo.png", .bytes(Data(try ImageEncoder.encode(photo, as: .png)), type: "image/png"))
    let failureImage = try Image(width: 1, height: 1, pixelFormat: .gray8)

    let recorder = pictures(server.url("/photo.png"), failureImage: failureImage).record()
    let completion = await recorder.ended()

    #expect(completion == .finished)
    #expect(recorder.values.map(\.image.width) == [320, 640])
    #expect(recorder.values.map(\.mode) == [.fill, .fill])
  }

  @Test("The StreamImages example replaces a missing image")
  func missingImages() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let failureImage = try Image(width: 1, height: 1, pixelFormat: .gray8)

    let recorder = pictures(server.url("/nothing.png"), failureImage: failureImage).record()
    let completion = await recorder.ended()

    #expect(completion == .finished)
    #expect(recorder.values.map(\.image) == [failureImage])
    #expect(recorder.values.map(\.mode) == [.fit])
    #expect(server.requests.count == 1)
  }

  private typealias Picture = (image: Image, mode: ContentMode)

  private func pictures(_ url: URL, failureImage: Image) -> AnyPublisher<Picture, Never> {
    let pipeline = ImagePipeline {
      $0.dataLoader = SchemeLoader(network: CurlLoader(direct))
      $0.dataCache = nil
      $0.imageCache = nil
    }

    let small = ImageRequest(url: url, processors: [.resize(width: 320)])
    let resized = pipeline.imagePublisher(with: small)
    let original = pipeline.imagePublisher(with: url)
    let pictures = resized.append(original)
      .map { (image: $0.image, mode: ContentMode.fill) }
      .catch { _ in Just((image: failureImage, mode: ContentMode.fit)) }

    return pictures.eraseToAnyPublisher()
  }

  /// Loopback is not to be had through a proxy.
  private var direct: CurlLoader.Configuration {
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    return configuration
  }
}
