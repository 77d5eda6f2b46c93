import CCodecs

extension DecodingWatch {
  /// Runs a C function that checks this watch between rows and has no errors of a library.
  func running(
    _ body: (CodecContinue, UnsafeMutableRawPointer) throws(ImageCodecError) -> CodecStatus
  ) throws(ImageCodecError) {
    let status = try body(
      { context in
        guard let context else { return false }
        return DecodingWatch.shouldContinue(context)
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { withExtendedLifetime(self) {} }
    try status.check(nil, limits: .default, watch: self)
  }
}
