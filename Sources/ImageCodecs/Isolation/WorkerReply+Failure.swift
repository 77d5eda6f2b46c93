/// The errors that a decoder throws, as numbers and a short text.
extension ImageCodecError {
  /// One of each ``code``, in the order of their numbers in a message.
  private static let blanks: [ImageCodecError] = {
    let hints = ContentHint.allCases.map { ImageCodecError.notAnImage($0) }
    let sizes: [DecodingLimits.Size] = [.side(0), .pixels(0), .bytes(0), .pixelsPerByte(0)]
    let work: [DecodingLimits.Work] = [
      .encodedBytes(0), .workingBytes(0), .scans(0), .frames(0), .warnings(0), .elements(0),
    ]
    let others: [ImageCodecError] = [
      .unsupportedFormat(.png), .unsupportedFeature(""), .missingLibrary(""), .truncated, .corrupt(""),
      .invalidSize(""),
      .invalidSetting(""), .deadlineExceeded, .cancelled, .outOfMemory, .resamplingFailed(""),
    ]
    let tooLarge = sizes.map { ImageCodecError.tooLarge(width: 0, height: 0, limit: $0) }
    return [hints, others, tooLarge, work.map { ImageCodecError.limitExceeded($0) }].flatMap { $0 }
  }()

  mutating func pass(_ message: inout WorkerMessage) {
    // Decoders do not throw others.
    if !Self.blanks.contains(where: { $0.code == code }) { self = .corrupt(description) }
    let wanted = code
    message.choice(&self, of: Self.blanks) { $0.code == wanted }
    switch self {
    case .unsupportedFormat(var format):
      message.choice(&format)
      self = .unsupportedFormat(format)
    case .tooLarge(let width, let height, let limit):
      // Headers claim what they like, and these numbers are for people.
      let size = (message.counted(width), message.counted(height))
      self = .tooLarge(width: size.0, height: size.1, limit: limit.passed(&message))
    case .limitExceeded(let limit): self = .limitExceeded(limit.passed(&message))
    case .unsupportedFeature(let text): self = .unsupportedFeature(message.text(text))
    case .missingLibrary(let text): self = .missingLibrary(message.text(text))
    case .corrupt(let text): self = .corrupt(message.text(text))
    case .invalidSize(let text): self = .invalidSize(message.text(text))
    case .invalidSetting(let text): self = .invalidSetting(message.text(text))
    case .resamplingFailed(let text): self = .resamplingFailed(message.text(text))
    case .notAnImage, .truncated, .deadlineExceeded, .cancelled, .outOfMemory, .encodingFailed,
      .decoderCrashed,
      .decoderMisbehaved, .isolationUnavailable:
      break
    }
  }
}

extension DecodingLimits.Size {
  fileprivate func passed(_ message: inout WorkerMessage) -> Self {
    switch self {
    case .side(let value): .side(message.counted(value))
    case .pixels(let value): .pixels(message.counted(value))
    case .bytes(let value): .bytes(message.counted(value))
    case .pixelsPerByte(let value): .pixelsPerByte(message.counted(value))
    }
  }
}

extension DecodingLimits.Work {
  fileprivate func passed(_ message: inout WorkerMessage) -> Self {
    switch self {
    case .encodedBytes(let value): .encodedBytes(message.counted(value))
    case .workingBytes(let value): .workingBytes(message.counted(value))
    case .scans(let value): .scans(message.counted(value))
    case .frames(let value): .frames(message.counted(value))
    case .warnings(let value): .warnings(message.counted(value))
    case .elements(let value): .elements(message.counted(value))
    }
  }
}
