import CCodecs

/// Says between rows whether to go on, and afterwards why not.
final class DecodingWatch {
  private let isCancelled: () -> Bool
  private let end: ContinuousClock.Instant?
  private(set) var interruption: ImageCodecError?

  init(deadline: Duration?, isCancelled: @escaping () -> Bool) {
    self.isCancelled = isCancelled
    end = deadline.map { ContinuousClock.now + $0 }
  }

  func check() throws(ImageCodecError) {
    if !shouldContinue(), let interruption { throw interruption }
  }

  func shouldContinue() -> Bool {
    if interruption != nil { return false }
    if isCancelled() {
      interruption = .cancelled
    } else if let end, ContinuousClock.now >= end {
      interruption = .deadlineExceeded
    }
    return interruption == nil
  }

  /// Runs a C function that asks this watch between rows.
  func reading<Value>(
    isStrict: Bool, limits: DecodingLimits,
    _ body: (inout CodecReadOptions) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    var options = CodecReadOptions(
      isStrict: isStrict,
      maximumScans: Int32(clamping: limits.maximumScans),
      maximumWarnings: Int64(limits.maximumWarnings),
      maximumWorkingBytes: Int64(limits.maximumWorkingBytes),
      maximumProfileBytes: Int64(limits.maximumMetadataBytes),
      shouldContinue: { context in
        guard let context else { return false }
        return Unmanaged<DecodingWatch>.fromOpaque(context).takeUnretainedValue().shouldContinue()
      },
      context: Unmanaged.passUnretained(self).toOpaque())
    defer { withExtendedLifetime(self) {} }
    return try body(&options)
  }
}
