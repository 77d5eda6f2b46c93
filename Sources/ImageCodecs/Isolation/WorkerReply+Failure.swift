/// The errors that a decoder throws, as numbers and a short text.
extension ImageCodecError {
  private enum Kind: CaseIterable {
    case notAnImage, unsupportedFormat, unsupportedFeature, missingLibrary, tooLarge, limitExceeded, truncated
    case corrupt, invalidSize, invalidSetting, deadlineExceeded, cancelled, outOfMemory, resamplingFailed
  }

  init?(_ message: WorkerMessage) {
    guard let kind = message.choice(24, Kind.self) else { return nil }
    switch kind {
    case .notAnImage:
      guard let hint = message.choice(25, ContentHint.self) else { return nil }
      self = .notAnImage(hint)
    case .unsupportedFormat:
      guard let format = message.choice(25, ImageFormat.self) else { return nil }
      self = .unsupportedFormat(format)
    case .unsupportedFeature: self = .unsupportedFeature(message.safeText)
    case .missingLibrary: self = .missingLibrary(message.safeText)
    case .tooLarge:
      guard let width = message.count(25), let height = message.count(26),
        let limit = DecodingLimits.Size(kind: message[27], value: message.count(28))
      else { return nil }
      self = .tooLarge(width: width, height: height, limit: limit)
    case .limitExceeded:
      guard let limit = DecodingLimits.Work(kind: message[27], value: message.count(28)) else { return nil }
      self = .limitExceeded(limit)
    case .truncated: self = .truncated
    case .corrupt: self = .corrupt(message.safeText)
    case .invalidSize: self = .invalidSize(message.safeText)
    case .invalidSetting: self = .invalidSetting(message.safeText)
    case .deadlineExceeded: self = .deadlineExceeded
    case .cancelled: self = .cancelled
    case .outOfMemory: self = .outOfMemory
    case .resamplingFailed: self = .resamplingFailed(message.safeText)
    }
  }

  func write(to message: inout WorkerMessage) {
    switch self {
    case .notAnImage(let hint):
      message.set(24, Kind.notAnImage)
      message.set(25, hint)
    case .unsupportedFormat(let format):
      message.set(24, Kind.unsupportedFormat)
      message.set(25, format)
    case .unsupportedFeature(let text): write(.unsupportedFeature, text, to: &message)
    case .missingLibrary(let text): write(.missingLibrary, text, to: &message)
    case .tooLarge(let width, let height, let limit):
      message.set(24, Kind.tooLarge)
      // Headers claim what they like, and these numbers are for people.
      message.set(25, min(max(width, 0), 1 << 48))
      message.set(26, min(max(height, 0), 1 << 48))
      (message[27], message[28]) = limit.numbers
    case .limitExceeded(let limit):
      message.set(24, Kind.limitExceeded)
      (message[27], message[28]) = limit.numbers
    case .truncated: message.set(24, Kind.truncated)
    case .corrupt(let text): write(.corrupt, text, to: &message)
    case .invalidSize(let text): write(.invalidSize, text, to: &message)
    case .invalidSetting(let text): write(.invalidSetting, text, to: &message)
    case .deadlineExceeded: message.set(24, Kind.deadlineExceeded)
    case .cancelled: message.set(24, Kind.cancelled)
    case .outOfMemory: message.set(24, Kind.outOfMemory)
    case .resamplingFailed(let text): write(.resamplingFailed, text, to: &message)
    // Decoders do not throw these.
    case .encodingFailed, .decoderCrashed, .decoderMisbehaved, .isolationUnavailable:
      write(.corrupt, description, to: &message)
    }
  }

  private func write(_ kind: Kind, _ text: String, to message: inout WorkerMessage) {
    message.set(24, kind)
    message.setText(text)
  }
}

extension DecodingLimits.Size {
  fileprivate init?(kind: Int64, value: Int?) {
    guard let value else { return nil }
    switch kind {
    case 0: self = .side(value)
    case 1: self = .pixels(value)
    case 2: self = .bytes(value)
    case 3: self = .pixelsPerByte(value)
    default: return nil
    }
  }

  fileprivate var numbers: (Int64, Int64) {
    switch self {
    case .side(let value): (0, Int64(value))
    case .pixels(let value): (1, Int64(value))
    case .bytes(let value): (2, Int64(value))
    case .pixelsPerByte(let value): (3, Int64(value))
    }
  }
}

extension DecodingLimits.Work {
  fileprivate init?(kind: Int64, value: Int?) {
    guard let value else { return nil }
    switch kind {
    case 0: self = .encodedBytes(value)
    case 1: self = .workingBytes(value)
    case 2: self = .scans(value)
    case 3: self = .frames(value)
    case 4: self = .warnings(value)
    case 5: self = .elements(value)
    default: return nil
    }
  }

  fileprivate var numbers: (Int64, Int64) {
    switch self {
    case .encodedBytes(let value): (0, Int64(value))
    case .workingBytes(let value): (1, Int64(value))
    case .scans(let value): (2, Int64(value))
    case .frames(let value): (3, Int64(value))
    case .warnings(let value): (4, Int64(value))
    case .elements(let value): (5, Int64(value))
    }
  }
}
