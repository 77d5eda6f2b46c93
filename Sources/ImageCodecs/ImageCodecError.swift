/// Why bytes did not become an image, or an image did not become bytes.
public enum ImageCodecError: Error, Sendable, Equatable {
  /// The bytes are something else, often an error page.
  case notAnImage(ContentHint)

  /// An image, but of a format that is recognised and not decoded.
  case unsupportedFormat(ImageFormat)

  /// The format is decoded, this variety of it is not.
  case unsupportedFeature(String)

  /// A library of the system that was asked for is not there, or too old: its name, or that of the function it lacks.
  case missingLibrary(String)

  /// The header promises more pixels than the limits allow; nothing has been allocated.
  case tooLarge(width: Int, height: Int, limit: DecodingLimits.Size)

  /// Decoding would cost, or has cost, more than the limits allow.
  case limitExceeded(DecodingLimits.Work)

  /// The data ends before the image does.
  case truncated

  /// The data contradicts its format.
  case corrupt(String)

  /// A size that means nothing: not a number, zero, negative, huge, or not that of the buffer.
  case invalidSize(String)

  /// A parameter of a filter that means nothing: not a number, or out of its range.
  case invalidSetting(String)

  /// ``DecodingLimits/deadline`` has passed.
  case deadlineExceeded
  /// `isCancelled` said so.
  case cancelled

  /// The system refused the memory, although the limits allow it.
  case outOfMemory

  /// The resampler refuses, with its words.
  case resamplingFailed(String)
  /// The format cannot express the image or the settings, with the reason.
  case encodingFailed(String)
}

extension ImageCodecError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnImage(let hint): "not an image: \(hint)"
    case .unsupportedFormat(let format): "the format \(format.rawValue) is not supported"
    case .unsupportedFeature(let feature): "not supported: \(feature)"
    case .missingLibrary(let library): "the system has no \(library)"
    case .tooLarge(let width, let height, let limit): "too large: \(width) × \(height) pixels, \(limit)"
    case .limitExceeded(let limit): "too costly: \(limit)"
    case .truncated: "the data ends before the image does"
    case .corrupt(let reason): "the data is damaged: \(reason)"
    case .invalidSize(let size): "invalid size: \(size)"
    case .invalidSetting(let setting): "invalid setting: \(setting)"
    case .deadlineExceeded: "decoding took too long"
    case .cancelled: "cancelled"
    case .outOfMemory: "out of memory"
    case .resamplingFailed(let reason): "resizing failed: \(reason)"
    case .encodingFailed(let reason): "encoding failed: \(reason)"
    }
  }
}
