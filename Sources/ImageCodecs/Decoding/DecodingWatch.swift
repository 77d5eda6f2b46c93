import CCodecs

/// Checks deadline and cancellation between rows, and holds the reason of an interruption.
package final class DecodingWatch {
  private let deadline: Duration
  private let elapsed: () -> Duration
  private let isCancelled: () -> Bool
  private(set) var interruption: ImageCodecError?

  /// `elapsed` is the time since the work began.
  package init(
    deadline: Duration, elapsed: @escaping () -> Duration, isCancelled: @escaping () -> Bool = { false }
  ) {
    (self.deadline, self.elapsed, self.isCancelled) = (deadline, elapsed, isCancelled)
  }

  convenience init(deadline: Duration, isCancelled: @escaping () -> Bool) {
    let start = ContinuousClock.now
    self.init(deadline: deadline, elapsed: { ContinuousClock.now - start }, isCancelled: isCancelled)
  }

  func check() throws(ImageCodecError) {
    if !shouldContinue(), let interruption { throw interruption }
  }

  func shouldContinue() -> Bool {
    if interruption != nil { return false }
    if isCancelled() {
      interruption = .cancelled
    } else if elapsed() >= deadline {
      interruption = .deadlineExceeded
    }
    return interruption == nil
  }

  /// The same, of a watch that the caller of C keeps. Retaining it for each row would wait for the row to be in memory.
  private static func shouldContinue(_ context: UnsafeMutableRawPointer?) -> Bool {
    guard let context else { return false }
    return Unmanaged<DecodingWatch>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.shouldContinue() }
  }

  /// Runs a C function that checks this watch between rows.
  func reading<Value>(
    isStrict: Bool, limits: DecodingLimits,
    _ body: (inout CodecReadOptions) throws(ImageCodecError) -> Value
  ) throws(ImageCodecError) -> Value {
    var options = CodecReadOptions(
      isStrict: isStrict,
      maximumScans: Int32(clamping: limits.maximumScans),
      maximumWarnings: Int64(limits.maximumWarnings),
      // Zero means no limit to the libraries.
      maximumWorkingBytes: Int64(max(limits.maximumWorkingBytes, 1)),
      maximumProfileBytes: Int64(max(limits.maximumMetadataBytes, 1)),
      shouldContinue: { DecodingWatch.shouldContinue($0) },
      context: Unmanaged.passUnretained(self).toOpaque())
    defer { withExtendedLifetime(self) {} }
    return try body(&options)
  }

  /// The same for a function that has no errors of a library.
  func running(
    _ body: (CodecContinue, UnsafeMutableRawPointer) throws(ImageCodecError) -> CodecStatus
  ) throws(ImageCodecError) {
    defer { withExtendedLifetime(self) {} }
    let status = try body(
      { DecodingWatch.shouldContinue($0) }, Unmanaged.passUnretained(self).toOpaque())
    try status.check(nil, limits: .default, watch: self)
  }
}
