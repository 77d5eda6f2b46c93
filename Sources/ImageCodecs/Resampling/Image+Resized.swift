import CCodecs

extension Image {
  /// Returns the image resized by Lanczos resampling.
  ///
  /// Colors are weighted by alpha, so transparent pixels do not change their neighbours. Scale, color space and pixel
  /// format are kept; sixteen bits per channel only if encoded values are averaged. An image that has the size already
  /// is returned unchanged.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` for an invalid target,
  /// ``ImageCodecError/tooLarge(width:height:limit:)`` or ``ImageCodecError/limitExceeded(_:)`` if the result or the work
  /// would exceed `limits`, and the errors of deadline and cancellation. `isCancelled` is called between rows.
  ///
  /// - Complexity: O(pixels of the source + pixels of the result) time. Needs memory for the result and for the rows
  ///   under the filter.
  public func resized(
    to target: ResizeTarget, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    let plan = try target.plan(for: size)
    let watch = DecodingWatch(deadline: limits.deadline, isCancelled: isCancelled)
    try watch.check()
    return try resampled(plan, limits: limits, watch: watch)
  }

  func resampled(
    _ plan: ResizePlan, limits: DecodingLimits, watch: DecodingWatch
  ) throws(ImageCodecError) -> Image {
    if plan.changesNothing { return self }
    if plan.light == .linear, pixelFormat.isWide {
      return try reducedTo8Bits().resampled(plan, limits: limits, watch: watch)
    }
    try limits.checkFrame(plan.size, bytesPerPixel: pixelFormat.bytesPerPixel)
    let graph = try ResampleGraph(plan: plan, pixelFormat: pixelFormat)
    var result = try Image(
      unset: plan.size, pixelFormat: pixelFormat, colorSpace: colorSpace, scale: scale)
    try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
      try withUnsafeBytes { source throws(ImageCodecError) in
        try graph.run(from: .pixels(source), to: destination, limits: limits, watch: watch)
      }
    }
    result.gainMap = try gainMap?.following(plan, limits: limits, watch: watch)
    return result
  }

  /// Returns the image that a plan makes of rows of eight bits per channel; `nil` if it needs them in another order than that of
  /// the file.
  ///
  /// - Parameter failure: Throws the error of a decoder that could not read a row.
  init?(
    resampling rows: RowReader, _ plan: ResizePlan, pixelFormat: PixelFormat, colorSpace: ColorSpace,
    limits: DecodingLimits, watch: DecodingWatch, failure: (CodecStatus) throws(ImageCodecError) -> Void
  ) throws(ImageCodecError) {
    try limits.checkFrame(plan.size, bytesPerPixel: pixelFormat.bytesPerPixel)
    let graph = try ResampleGraph(plan: plan, pixelFormat: pixelFormat)
    var result = try Image(unset: plan.size, pixelFormat: pixelFormat, colorSpace: colorSpace)
    do throws(ImageCodecError) {
      try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
        try graph.run(from: .reader(rows), to: destination, limits: limits, watch: watch)
      }
    } catch {
      if rows.isOutOfOrder { return nil }
      try failure(rows.status)
      throw error
    }
    self = result
  }
}
