import Foundation
import StreamImages
import Testing

/// Programs write codes to logs and count them: one that changes here breaks them.
@Suite("Error codes")
struct ErrorCodeTests {
  private struct Cause: Error {}

  private static let head = LoadedHead(status: 404, url: URL(string: "https://a.example/")!)
  private static let digest = Integrity(of: Data())

  static let loading: [(DataLoadingError, String)] = [
    (.badURL("a"), "loading.bad-url"),
    (.unsupportedScheme("a"), "loading.unsupported-scheme"),
    (.invalidHeader(name: "a"), "loading.invalid-header"),
    (.cannotResolve(host: "a"), "loading.cannot-resolve"),
    (.cannotConnect(host: "a", reason: "b"), "loading.cannot-connect"),
    (.addressRefused(host: "a"), "loading.address-refused"),
    (.hostRefused(host: "a"), "loading.host-refused"),
    (.tls(host: "a", reason: "b"), "loading.tls"),
    (.connectionLost(.connect, reason: "a"), "loading.connection-lost.connect"),
    (.connectionLost(.firstByte, reason: "a"), "loading.connection-lost.first-byte"),
    (.connectionLost(.idle, reason: "a"), "loading.connection-lost.idle"),
    (.connectionLost(.total, reason: "a"), "loading.connection-lost.total"),
    (.timedOut(.connect), "loading.timed-out.connect"),
    (.timedOut(.firstByte), "loading.timed-out.first-byte"),
    (.timedOut(.idle), "loading.timed-out.idle"),
    (.timedOut(.total), "loading.timed-out.total"),
    (.status(404, head: head), "loading.status"),
    (.truncated(received: 1, expected: nil), "loading.truncated"),
    (.longerThanAnnounced(byteCount: 1), "loading.longer-than-announced"),
    (.tooLarge(limit: 1, announced: nil), "loading.too-large"),
    (.expandsTooMuch(ratio: 1), "loading.expands-too-much"),
    (.headTooLarge, "loading.head-too-large"),
    (.tooManyRedirects(limit: 1), "loading.too-many-redirects"),
    (.redirectRefused(.scheme("a")), "loading.redirect-refused.scheme"),
    (.redirectRefused(.downgrade), "loading.redirect-refused.downgrade"),
    (.redirectRefused(.loop), "loading.redirect-refused.loop"),
    (.redirectRefused(.missingLocation), "loading.redirect-refused.missing-location"),
    (.redirectRefused(.badLocation), "loading.redirect-refused.bad-location"),
    (.redirectRefused(.host("a")), "loading.redirect-refused.host"),
    (.protocolViolation("a"), "loading.protocol-violation"),
    (.badContentCoding, "loading.bad-content-coding"),
    (.unexpectedContentCoding("a"), "loading.unexpected-content-coding"),
    (.fileNotFound(path: "a"), "loading.file-not-found"),
    (.notARegularFile(path: "a"), "loading.not-a-regular-file"),
    (.fileOutsideRoots(path: "a"), "loading.file-outside-roots"),
    (.fileUnreadable(path: "a", code: 1), "loading.file-unreadable"),
    (.malformedDataURL("a"), "loading.malformed-data-url"),
    (.unavailable("a"), "loading.unavailable"),
    (.networkUnavailable(.constrained), "loading.network-unavailable.constrained"),
    (.networkUnavailable(.expensive), "loading.network-unavailable.expensive"),
    (.refused(reason: "a"), "loading.refused"),
    (.invalidated, "loading.invalidated"),
    (.cancelled, "loading.cancelled"),
  ]

  static let codec: [(ImageCodecError, String)] = [
    (.notAnImage(.empty), "codec.not-an-image.empty"),
    (.notAnImage(.html), "codec.not-an-image.html"),
    (.notAnImage(.json), "codec.not-an-image.json"),
    (.notAnImage(.xml), "codec.not-an-image.xml"),
    (.notAnImage(.text), "codec.not-an-image.text"),
    (.notAnImage(.unknown), "codec.not-an-image.unknown"),
    (.unsupportedFormat(.jpegXL), "codec.unsupported-format"),
    (.unsupportedFeature("a"), "codec.unsupported-feature"),
    (.missingLibrary("a"), "codec.missing-library"),
    (.tooLarge(width: 1, height: 1, limit: .side(1)), "codec.too-large.side"),
    (.tooLarge(width: 1, height: 1, limit: .pixels(1)), "codec.too-large.pixels"),
    (.tooLarge(width: 1, height: 1, limit: .bytes(1)), "codec.too-large.bytes"),
    (.tooLarge(width: 1, height: 1, limit: .pixelsPerByte(1)), "codec.too-large.pixels-per-byte"),
    (.limitExceeded(.encodedBytes(1)), "codec.limit-exceeded.encoded-bytes"),
    (.limitExceeded(.workingBytes(1)), "codec.limit-exceeded.working-bytes"),
    (.limitExceeded(.scans(1)), "codec.limit-exceeded.scans"),
    (.limitExceeded(.frames(1)), "codec.limit-exceeded.frames"),
    (.limitExceeded(.warnings(1)), "codec.limit-exceeded.warnings"),
    (.limitExceeded(.elements(1)), "codec.limit-exceeded.elements"),
    (.truncated, "codec.truncated"),
    (.corrupt("a"), "codec.corrupt"),
    (.invalidSize("a"), "codec.invalid-size"),
    (.invalidSetting("a"), "codec.invalid-setting"),
    (.deadlineExceeded, "codec.deadline-exceeded"),
    (.cancelled, "codec.cancelled"),
    (.outOfMemory, "codec.out-of-memory"),
    (.decoderCrashed(signal: 11), "codec.decoder-crashed"),
    (.decoderMisbehaved("a"), "codec.decoder-misbehaved"),
    (.isolationUnavailable(.platform), "codec.isolation-unavailable.platform"),
    (.isolationUnavailable(.programMissing), "codec.isolation-unavailable.program-missing"),
    (.isolationUnavailable(.notStarted("a")), "codec.isolation-unavailable.not-started"),
    (.isolationUnavailable(.unprotected(.systemCalls)), "codec.isolation-unavailable.unprotected"),
    (.isolationUnavailable(.foreignDecoder("a")), "codec.isolation-unavailable.foreign-decoder"),
    (.resamplingFailed("a"), "codec.resampling-failed"),
    (.encodingFailed("a"), "codec.encoding-failed"),
  ]

  static let pipeline: [(ImagePipeline.Error, String)] = [
    (.dataMissingInCache, "pipeline.data-missing-in-cache"),
    (.imageRequestMissing, "pipeline.image-request-missing"),
    (.requestRefused(Cause()), "pipeline.request-refused"),
    (.sourceFailed(Cause()), "pipeline.source-failed"),
    (.dataIsEmpty, "pipeline.data-is-empty"),
    (.integrityMismatch(expected: digest, received: digest), "pipeline.integrity-mismatch"),
    (.dataDownloadExceededMaximumSize(limit: 1), "pipeline.data-download-exceeded-maximum-size"),
    (.notAnImage(.empty), "pipeline.not-an-image.empty"),
    (.notAnImage(.html), "pipeline.not-an-image.html"),
    (.notAnImage(.json), "pipeline.not-an-image.json"),
    (.notAnImage(.xml), "pipeline.not-an-image.xml"),
    (.notAnImage(.text), "pipeline.not-an-image.text"),
    (.notAnImage(.unknown), "pipeline.not-an-image.unknown"),
    (.imageTooLarge(width: 1, height: 1), "pipeline.image-too-large"),
    (.decoderNotRegistered(nil), "pipeline.decoder-not-registered"),
    (.decodingFailed(Cause()), "pipeline.decoding-failed"),
    (.processingFailed(processor: "a", Cause()), "pipeline.processing-failed"),
    (.encodingFailed(Cause()), "pipeline.encoding-failed"),
    (.pipelineInvalidated, "pipeline.pipeline-invalidated"),
    (.cancelled, "pipeline.cancelled"),
  ]

  static let cache: [(DataCacheError, String)] = [
    (.noCacheDirectory, "cache.no-cache-directory"),
    (.badName("a"), "cache.bad-name"),
    (.untrustedDirectory(path: "a"), "cache.untrusted-directory"),
    (.entryTooLarge(byteCount: 2, limit: 1), "cache.entry-too-large"),
    (.diskFull, "cache.disk-full"),
    (.encodingFailed(reason: "a"), "cache.encoding-failed"),
    (.systemError(operation: "a", path: nil, code: 1), "cache.system-error"),
  ]

  static let library: [(PhotoLibraryError, String)] = [
    (.notAuthorized(path: "a", reason: "b"), "library.not-authorized"),
    (.noPicturesDirectory, "library.no-pictures-directory"),
    (.badAlbumName("a"), "library.bad-album-name"),
    (.diskFull, "library.disk-full"),
    (.systemError(operation: "a", path: nil, code: 1), "library.system-error"),
  ]

  static let writer: [(PhotoWriter.Error, String)] = [
    (.couldNotSavePhoto, "writer.could-not-save-photo"),
    (.generic(Cause()), "writer.generic"),
  ]

  static let codes =
    loading.map(\.1) + codec.map(\.1) + pipeline.map(\.1) + cache.map(\.1) + library.map(\.1)
    + writer.map(\.1)

  @Test("Each error has the unique code of the table")
  func table() {
    let found =
      Self.loading.map(\.0.code) + Self.codec.map(\.0.code) + Self.pipeline.map(\.0.code)
      + Self.cache.map(\.0.code) + Self.library.map(\.0.code) + Self.writer.map(\.0.code)

    #expect(zip(found, Self.codes).filter { $0 != $1 }.map { "\($0) instead of \($1)" } == [])
    #expect(Set(Self.codes).count == Self.codes.count)
    #expect(Self.codes.allSatisfy { $0.wholeMatch(of: /[a-z]+(\.[a-z]+(-[a-z]+)*){1,2}/) != nil })
  }

  @Test("A wrapped error keeps its own code")
  func nested() {
    #expect(ImagePipeline.Error.dataLoadingFailed(.timedOut(.connect)).code == "loading.timed-out.connect")
    #expect(ImagePipeline.Error.decodingFailed(ImageCodecError.truncated).code == "codec.truncated")
    #expect(
      ImagePipeline.Error.processingFailed(processor: "a", ImageCodecError.truncated).code
        == "pipeline.processing-failed")
    #expect(PhotoWriter.Error.generic(PhotoLibraryError.diskFull).code == "library.disk-full")
    #expect(PhotoWriter.Error.generic(ImageCodecError.outOfMemory).code == "codec.out-of-memory")
  }

  @Test("Codes contain no values, and descriptions are readable")
  func descriptions() {
    let texts =
      Self.loading.map { "\($0.0)" } + Self.codec.map { "\($0.0)" } + Self.pipeline.map { "\($0.0)" }
      + Self.cache.map { "\($0.0)" } + Self.library.map { "\($0.0)" } + Self.writer.map { "\($0.0)" }

    #expect(texts.count == Self.codes.count)
    #expect(texts.filter { $0.count < 7 || $0.contains(/\bpicture\b|answer/) } == [])
    #expect(
      DataLoadingError.status(404, head: Self.head).code == DataLoadingError.status(500, head: Self.head).code
    )
  }

  @Test("The localized description of an error is its description")
  func localized() {
    let parts: [[any Error]] = [
      Self.loading.map(\.0), Self.codec.map(\.0), Self.pipeline.map(\.0), Self.cache.map(\.0),
      Self.library.map(\.0), Self.writer.map(\.0),
    ]
    let errors = Array(parts.joined())

    #expect(errors.count == Self.codes.count)
    #expect(errors.filter { $0.localizedDescription != "\($0)" }.map { "\($0)" } == [])
  }

  @Test("The table and the guide list every error code in the sources")
  func complete() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let files = [
      "ImageCodecs/ImageCodecError+Code", "StreamImages/ImagePipeline+Error",
      "StreamImages/Loading/DataLoadingError+Code", "StreamImages/Caching/DataCacheError",
      "StreamImages/Writing/PhotoLibrary", "StreamImages/Writing/PhotoWriter",
    ]
    let declared = try files.flatMap { file in
      try String(contentsOf: root.appending(path: "Sources/\(file).swift"), encoding: .utf8)
        .matches(of: /: "([a-z.-]+)"/).map { String($0.1) }
    }
    let guide = try String(contentsOf: root.appending(path: "Docs/errors.md"), encoding: .utf8)
      .matches(of: /^\| `([a-z.-]+)` \|/.anchorsMatchLineEndings()).map { String($0.1) }

    #expect(declared.sorted() == Self.codes.sorted())
    #expect(guide.sorted() == Self.codes.sorted())
  }

  @Test("The page on errors has the values of each case")
  func values() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let guide = try String(contentsOf: root.appending(path: "Docs/errors.md"), encoding: .utf8)
    let files = [
      "ImageCodecs/ImageCodecError", "StreamImages/ImagePipeline+Error",
      "StreamImages/Loading/DataLoadingError",
      "StreamImages/Caching/DataCacheError", "StreamImages/Writing/PhotoLibrary",
      "StreamImages/Writing/PhotoWriter",
    ]
    let cases = try files.flatMap { file in
      try String(contentsOf: root.appending(path: "Sources/\(file).swift"), encoding: .utf8)
        .matches(of: /^ +(?:indirect )?case (\w+)\((.*)\)$/.anchorsMatchLineEndings())
        .map { (name: String($0.1), values: String($0.2)) }
    }
    // Their kinds have codes of their own, and the page has each of them.
    let kinds = /\b(Phase|RedirectRefusal|NetworkRefusal|ContentHint|DecodingLimits\.\w+|IsolationFailure)\b/
    let missing = cases.filter { name, values in
      name != "dataLoadingFailed"
        && !guide.contains(values.contains(kinds) ? "`\(name)(" : "\(name)(\(values))")
    }

    #expect(cases.count > 40)
    #expect(missing.map(\.name) == [])
  }
}
