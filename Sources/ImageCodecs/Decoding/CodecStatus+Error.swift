import CCodecs

extension CodecStatus {
  /// Throws unless the call succeeded. `message` is the library's own text.
  func check(
    _ message: UnsafePointer<CChar>?, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) {
    switch self {
    case .done: return
    case .truncated: throw .truncated
    case .corrupt: throw .corrupt(CodecStatus.text(message))
    case .unsupported: throw .unsupportedFeature(CodecStatus.text(message))
    case .stopped: throw watch.interruption ?? .corrupt("the library stopped by itself")
    case .tooManyScans: throw .limitExceeded(.scans(limits.maximumScans))
    case .tooManyWarnings: throw .limitExceeded(.warnings(limits.maximumWarnings))
    case .tooMuchMemory: throw .limitExceeded(.workingBytes(limits.maximumWorkingBytes))
    case .outOfMemory: throw .outOfMemory
    case .missingLibrary: throw .missingLibrary(CodecStatus.text(message))
    }
  }

  /// For writers, which have no limits.
  func checkWriting(_ message: UnsafePointer<CChar>?) throws(ImageCodecError) {
    switch self {
    case .done: return
    case .outOfMemory: throw .outOfMemory
    case .missingLibrary: throw .missingLibrary(CodecStatus.text(message))
    default: throw .encodingFailed(CodecStatus.text(message))
    }
  }

  static func text(_ message: UnsafePointer<CChar>?) -> String {
    message.map { String(cString: $0) } ?? "the library gives no reason"
  }
}
