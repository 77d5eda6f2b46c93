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

  @Test(
    "A reply that is no image fails with a typed error and leaves nothing behind",
    arguments: BadReply.all)
  fileprivate func reply(_ bad: BadReply) async throws {
    try await withWorkshop { workshop in
      workshop.server.serve("/a", try bad.reply())
      let request = ImageRequest(url: workshop.server.url("/a"), processors: bad.processors)
      try await expect(workshop, request) {
        $0.decodingLimits.maximumPixels = 40_000
      } _: {
        bad.isRight($0)
      }
    }
  }

  @Test(
    "A URL that cannot be loaded fails with a typed error and leaves nothing behind",
    arguments: [
      "http://no-such-host.invalid/a.png", "ftp://example.org/a.png", "javascript:1", "data:nonsense",
    ])
  func badURL(_ text: String) async throws {
    try await withWorkshop { workshop in
      try await expect(workshop, ImageRequest(url: URL(string: text))) { error in
        switch error.dataLoadingError {
        case .cannotResolve?: true
        case let other: other != nil && !text.hasPrefix("http:")
        }
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
}

/// What a server sends, and the error that it leads to.
private struct BadReply: Sendable, CustomTestStringConvertible {
  struct Refusal: Error {}

  let testDescription: String
  var processors: [any ImageProcessing] = []
  let reply: @Sendable () throws -> Reply
  let isRight: @Sendable (ImagePipeline.Error) -> Bool

  init(
    _ name: String, processors: [any ImageProcessing] = [],
    _ reply: @autoclosure @escaping @Sendable () throws -> Reply,
    _ isRight: @escaping @Sendable (ImagePipeline.Error) -> Bool
  ) {
    (testDescription, self.processors, self.reply, self.isRight) = (name, processors, reply, isRight)
  }

  static let all: [BadReply] = transfers + files + processing

  private static let transfers: [BadReply] = [
    BadReply("status 404", .status(404)) {
      if case .dataLoadingFailed(.status(404, _)) = $0 { true } else { false }
    },
    BadReply("status 500", .status(500)) {
      if case .dataLoadingFailed(.status(500, _)) = $0 { true } else { false }
    },
    BadReply("truncated body", try truncatedBody()) {
      if case .dataLoadingFailed(.truncated) = $0 { true } else { false }
    },
    BadReply("empty body", .bytes(Data())) { if case .dataIsEmpty = $0 { true } else { false } },
    BadReply("HTML labelled as JPEG", .bytes(Data("<!DOCTYPE html><p>Sorry".utf8), type: "image/jpeg")) {
      if case .notAnImage(.html) = $0 { true } else { false }
    },
  ]

  private static let files: [BadReply] = [
    BadReply("half a JPEG", try half(Pictures.jpeg(200, 200)), isTruncated),
    BadReply("half a PNG", try half(Pictures.png(200, 200)), isTruncated),
    BadReply("a format without a decoder", .bytes(Data([0xFF, 0x4F, 0xFF, 0x51]) + Data(count: 100))) {
      if case .decoderNotRegistered(.jpeg2000) = $0 { true } else { false }
    },
    BadReply("2³¹−1 pixels in each direction", .bytes(Pictures.hugePNG), isTooLarge),
    BadReply(
      "2³¹−1 pixels, to be scaled down", processors: [.resize(width: 16)], .bytes(Pictures.hugePNG),
      isTooLarge),
    BadReply("one row above the pixel limit", .bytes(try Pictures.png(200, 201))) {
      if case .imageTooLarge(200, 201) = $0 { true } else { false }
    },
  ]

  private static let processing: [BadReply] = [
    BadReply(
      "a processor that throws", processors: [.process(id: "no") { _ in throw Refusal() }],
      .bytes(try Pictures.png())
    ) {
      if case .processingFailed("anonymous no", is Refusal) = $0 { true } else { false }
    },
    BadReply("an invalid processor", processors: [.resize(width: .nan)], .bytes(try Pictures.png())) {
      if case .processingFailed(_, ImageCodecError.invalidSize) = $0 { true } else { false }
    },
  ]

  private static func half(_ bytes: Data) -> Reply { .bytes(bytes.prefix(bytes.count / 2)) }

  private static func truncatedBody() throws -> Reply {
    let bytes = try Pictures.jpeg(200, 200)
    return .failing(.close(afterBodyBytes: bytes.count / 2), body: bytes)
  }

  private static func isTruncated(_ error: ImagePipeline.Error) -> Bool {
    if case .decodingFailed(ImageCodecError.truncated) = error { true } else { false }
  }

  private static func isTooLarge(_ error: ImagePipeline.Error) -> Bool {
    switch error {
    case .imageTooLarge, .decodingFailed(is ImageCodecError): true
    default: false
    }
  }
}
