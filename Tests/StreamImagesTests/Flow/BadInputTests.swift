import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("Bad input", .timeLimit(.minutes(20)))
struct BadInputTests {
  /// Loads a picture that should not come, and looks at what is left.
  private func expect(
    _ workshop: Workshop, _ request: ImageRequest,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in },
    at location: SourceLocation = #_sourceLocation, _ isRight: (ImagePipeline.Error) -> Bool
  ) async throws {
    let pipeline = workshop.pipeline(configure)
    let error = await imageFailure { () throws(ImagePipeline.Error) in try await pipeline.image(for: request)
    }

    guard let error, isRight(error) else { return unexpected(error, at: location) }
    #expect(!error.description.isEmpty, sourceLocation: location)
    await pipeline.flush()
    #expect(workshop.cachedFiles == [], sourceLocation: location)
    let cache = pipeline.configuration.imageCache as? ImageCache
    #expect(cache?.totalCount == 0, sourceLocation: location)
    #expect(Descriptors.count(under: workshop.cacheDirectory.path) == 0, sourceLocation: location)
    workshop.loader.invalidate()
    #expect(try Descriptors.count(connectedTo: workshop.server.port) == 0, sourceLocation: location)
  }

  @Test("An unknown host fails with a typed error and leaves nothing behind")
  func unknownHost() async throws {
    try await withWorkshop { workshop in
      try await expect(workshop, "http://no-such-host.invalid/a.png") { error in
        if case .dataLoadingFailed(.cannotResolve) = error { true } else { false }
      }
    }
  }

  @Test("A refused connection fails with a typed error and leaves nothing behind")
  func refused() async throws {
    try await withWorkshop { workshop in
      let port = try RefusingPort()
      try await expect(workshop, ImageRequest(url: port.url("/a"))) { error in
        if case .dataLoadingFailed(.cannotConnect) = error { true } else { false }
      }
    }
  }

  @Test("An error status fails with a typed error and leaves nothing behind", arguments: [404, 500])
  func status(_ status: Int) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .status(status))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .dataLoadingFailed(.status(status, _)) = error { true } else { false }
      }
    }
  }

  @Test("A truncated body fails with a typed error and leaves nothing behind")
  func truncatedBody() async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.jpeg(200, 200)
      workshop.server.serve("/a", .failing(.close(afterBodyBytes: bytes.count / 2), body: bytes))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .dataLoadingFailed(.truncated) = error { true } else { false }
      }
    }
  }

  @Test(
    "A truncated file in a complete body fails to decode and leaves nothing behind",
    arguments: ["jpeg", "png"])
  func truncatedFile(_ format: String) async throws {
    try await withWorkshop { workshop in
      let bytes = try format == "jpeg" ? Pictures.jpeg(200, 200) : Pictures.png(200, 200)
      workshop.server.serve("/a", .bytes(bytes.prefix(bytes.count / 2)))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .decodingFailed(ImageCodecError.truncated) = error { true } else { false }
      }
    }
  }

  @Test("An empty body fails with a typed error and leaves nothing behind")
  func empty() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Data()))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .dataIsEmpty = error { true } else { false }
      }
    }
  }

  @Test("An HTML page labelled as JPEG is reported as HTML and leaves nothing behind")
  func page() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Data("<!DOCTYPE html><p>Sorry".utf8), type: "image/jpeg"))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .notAnImage(.html) = error { true } else { false }
      }
    }
  }

  @Test("An image in a format without a decoder fails and leaves nothing behind")
  func unknownFormat() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Data([0xFF, 0x4F, 0xFF, 0x51]) + Data(count: 100)))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { error in
        if case .decoderNotRegistered(.jpeg2000) = error { true } else { false }
      }
    }
  }

  @Test(
    "A PNG with 2³¹−1 pixels in each direction is rejected and leaves nothing behind",
    arguments: [nil, 16.0])
  func huge(_ width: Double?) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(Pictures.hugePNG))
      let request = ImageRequest(
        url: workshop.server.url("/a"), processors: width.map { [.resize(width: $0)] } ?? [])
      try await expect(workshop, request) { error in
        switch error {
        case .imageTooLarge, .decodingFailed(is ImageCodecError): true
        default: false
        }
      }
    }
  }

  @Test("An image above the pixel limit is rejected and leaves nothing behind")
  func tooManyPixels() async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png(100, 100)))
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { configuration in
        configuration.decodingLimits.maximumPixels = 9_999
      } _: { error in
        if case .imageTooLarge(100, 100) = error { true } else { false }
      }
    }
  }

  @Test(
    "A body above the size limit is rejected, whether or not its length is announced",
    arguments: [true, false])
  func largeBody(_ isAnnounced: Bool) async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(100, 100) + Data(count: 100_000)
      workshop.server.serve("/a", .bytes(bytes).with { if !isAnnounced { $0.framing = .chunked(1_000) } })
      try await expect(workshop, ImageRequest(url: workshop.server.url("/a"))) { configuration in
        configuration.loadLimits.maximumByteCount = 50_000
      } _: { error in
        if case .dataDownloadExceededMaximumSize(50_000) = error { true } else { false }
      }
    }
  }

  @Test(
    "A loader that breaks its contract fails with a typed error and leaves nothing behind",
    arguments: ["large", "short", "part", "impossible part"])
  func badLoader(_ fault: String) async throws {
    try await withWorkshop { workshop in
      let bytes = try Pictures.png(100, 100)
      let url = workshop.server.url("/a")
      var head = LoadedHead(url: url)
      switch fault {
      case "large": break
      case "short": head.expectedByteCount = bytes.count + 1
      case "impossible part":
        head.partial = LoadedHead.ByteRange(bytes: 10..<(10 + bytes.count), total: bytes.count)
      default: head.partial = LoadedHead.ByteRange(bytes: 10..<(10 + bytes.count), total: bytes.count + 10)
      }
      let loader = ScriptedLoader(head: head, chunks: [bytes.prefix(100), Data(bytes.dropFirst(100))])
      try await expect(workshop, ImageRequest(url: url)) { configuration in
        configuration.dataLoader = loader
        if fault == "large" { configuration.loadLimits.maximumByteCount = bytes.count - 1 }
      } _: { error in
        switch error {
        case .dataDownloadExceededMaximumSize: fault == "large"
        case .dataLoadingFailed(.truncated): fault != "large"
        default: false
        }
      }
    }
  }

  @Test("A loader that exceeds the size limit is cancelled")
  func endlessLoader() async {
    let bench = Bench()
    bench.loader.answer(bench.url, with: Data(count: 2_000), inPiecesOf: 100, isAnnounced: false)
    let pipeline = bench.pipeline { $0.loadLimits.maximumByteCount = 1_000 }

    let error = await pipeline.imageTask(with: bench.url).failure()

    guard case .dataDownloadExceededMaximumSize(1_000)? = error else { return unexpected(error) }
    #expect(bench.loader.departures(from: bench.url) == 1)
  }

  @Test("A failing or invalid processor fails with a typed error and leaves nothing behind")
  func badProcessor() async throws {
    struct Refusal: Error {}
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png()))
      let url = workshop.server.url("/a")
      let refusing = ImageRequest(url: url, processors: [.process(id: "no") { _ in throw Refusal() }])
      try await expect(workshop, refusing) { error in
        if case .processingFailed("anonymous no", is Refusal) = error { true } else { false }
      }
    }
    try await withWorkshop { workshop in
      workshop.server.serve("/a", .bytes(try Pictures.png()))
      let request = ImageRequest(url: workshop.server.url("/a"), processors: [.resize(width: .nan)])
      try await expect(workshop, request) { error in
        if case .processingFailed(_, ImageCodecError.invalidSize) = error { true } else { false }
      }
    }
  }

  @Test(
    "A URL of an unsupported scheme fails with a typed error and leaves nothing behind",
    arguments: ["ftp://example.org/a.png", "javascript:1", "data:nonsense"])
  func badURL(_ text: String) async throws {
    try await withWorkshop { workshop in
      try await expect(workshop, ImageRequest(url: URL(string: text))) { error in
        error.dataLoadingError != nil
      }
    }
  }
}
