extension ImageCodecError {
  /// A stable identifier for logs and metrics, such as `codec.too-large.side`. It contains no texts or numbers of the error.
  ///
  /// Codes do not change between versions. <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .notAnImage(.empty): "codec.not-an-image.empty"
    case .notAnImage(.html): "codec.not-an-image.html"
    case .notAnImage(.json): "codec.not-an-image.json"
    case .notAnImage(.xml): "codec.not-an-image.xml"
    case .notAnImage(.text): "codec.not-an-image.text"
    case .notAnImage(.unknown): "codec.not-an-image.unknown"
    case .unsupportedFormat: "codec.unsupported-format"
    case .unsupportedFeature: "codec.unsupported-feature"
    case .missingLibrary: "codec.missing-library"
    case .tooLarge(_, _, .side): "codec.too-large.side"
    case .tooLarge(_, _, .pixels): "codec.too-large.pixels"
    case .tooLarge(_, _, .bytes): "codec.too-large.bytes"
    case .tooLarge(_, _, .pixelsPerByte): "codec.too-large.pixels-per-byte"
    case .limitExceeded(.encodedBytes): "codec.limit-exceeded.encoded-bytes"
    case .limitExceeded(.workingBytes): "codec.limit-exceeded.working-bytes"
    case .limitExceeded(.scans): "codec.limit-exceeded.scans"
    case .limitExceeded(.frames): "codec.limit-exceeded.frames"
    case .limitExceeded(.warnings): "codec.limit-exceeded.warnings"
    case .limitExceeded(.elements): "codec.limit-exceeded.elements"
    case .truncated: "codec.truncated"
    case .corrupt: "codec.corrupt"
    case .invalidSize: "codec.invalid-size"
    case .invalidSetting: "codec.invalid-setting"
    case .deadlineExceeded: "codec.deadline-exceeded"
    case .cancelled: "codec.cancelled"
    case .outOfMemory: "codec.out-of-memory"
    case .decoderCrashed: "codec.decoder-crashed"
    case .decoderMisbehaved: "codec.decoder-misbehaved"
    case .isolationUnavailable(.platform): "codec.isolation-unavailable.platform"
    case .isolationUnavailable(.programMissing): "codec.isolation-unavailable.program-missing"
    case .isolationUnavailable(.notStarted): "codec.isolation-unavailable.not-started"
    case .isolationUnavailable(.unprotected): "codec.isolation-unavailable.unprotected"
    case .isolationUnavailable(.foreignDecoder): "codec.isolation-unavailable.foreign-decoder"
    case .resamplingFailed: "codec.resampling-failed"
    case .encodingFailed: "codec.encoding-failed"
    }
  }
}
