/// Why an image could not be decoded, transformed or encoded.
///
/// ``code`` is a stable identifier for logs and metrics.
public enum ImageCodecError: Error, Sendable, Equatable {
  /// No format is recognised: the bytes are for example those of an error page, or too few.
  case notAnImage(ContentHint)

  /// The format is recognised, but there is no decoder for it.
  case unsupportedFormat(ImageFormat)

  /// The format is supported, but not this variant of it.
  case unsupportedFeature(String)

  /// A system library, or a codec that it uses, is missing or too old: the name of the library, of its package on Debian, or
  /// of the missing function.
  case missingLibrary(String)

  /// The image, or the result of a function, would be larger than the limits allow. No memory was allocated for its pixels.
  case tooLarge(width: Int, height: Int, limit: DecodingLimits.Size)

  /// Decoding needs more work or memory than the limits allow.
  case limitExceeded(DecodingLimits.Work)

  /// The data ends before the image is complete.
  case truncated

  /// The data contradicts its format.
  case corrupt(String)

  /// A size is not valid: not a number, zero, negative, too large, outside of the image, or not that of the buffer.
  case invalidSize(String)

  /// A parameter of a filter is not a number or out of range, or there is no filter of this name.
  case invalidSetting(String)

  /// ``DecodingLimits/deadline`` has passed.
  case deadlineExceeded
  /// `isCancelled` returned true.
  case cancelled

  /// The system could not allocate memory that the limits allow.
  case outOfMemory

  /// The worker process died while it decoded the image: of this signal, or of none if it ended itself.
  ///
  /// Other images are not affected.
  case decoderCrashed(signal: Int)

  /// The worker process sent a reply that contradicts its request, the limits or its memory. It was ended.
  case decoderMisbehaved(String)

  /// Images must be decoded in worker processes, and no worker can run.
  case isolationUnavailable(IsolationFailure)

  /// The resampler failed, with its message.
  case resamplingFailed(String)
  /// The format, or this build, cannot write the image with these settings, with the reason.
  case encodingFailed(String)
}

extension ImageCodecError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAnImage(let hint): "not an image: \(hint)"
    case .unsupportedFormat(let format): "the format \(format.rawValue) is not supported"
    case .unsupportedFeature(let feature): "not supported: \(feature)"
    case .missingLibrary(let library): "the system library \(library) is missing or too old"
    case .tooLarge(let width, let height, let limit):
      "too large: \(width) × \(height) pixels; the limit is \(limit)"
    case .limitExceeded(let limit): "decoding exceeds the limit: \(limit)"
    case .truncated: "the data ends before the image is complete"
    case .corrupt(let reason): "the data is damaged: \(reason)"
    case .invalidSize(let size): "invalid size: \(size)"
    case .invalidSetting(let setting): "invalid setting: \(setting)"
    case .deadlineExceeded: "decoding took too long"
    case .cancelled: "cancelled"
    case .outOfMemory: "out of memory"
    case .decoderCrashed(0): "the worker process ended while it decoded the image"
    case .decoderCrashed(let signal): "the worker process crashed (signal \(signal))"
    case .decoderMisbehaved(let reason): "the worker process was ended: \(reason)"
    case .isolationUnavailable(let reason): "images cannot be isolated: \(reason)"
    case .resamplingFailed(let reason): "resizing failed: \(reason)"
    case .encodingFailed(let reason): "encoding failed: \(reason)"
    }
  }
}
