extension Image {
  /// The image at another size, by Lanczos resampling.
  ///
  /// Transparent pixels lend no color to their neighbours: colors are weighted by alpha. Scale, color space
  /// and pixel format are kept, the latter with sixteen bits a channel only where numbers are averaged, not
  /// light. An image that has the size already is returned as it is.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` for a target that means nothing,
  /// ``ImageCodecError/tooLarge(width:height:limit:)`` when the result would exceed `limits`, and the errors
  /// of time and cancellation; `isCancelled` is asked between rows.
  ///
  /// - Complexity: O(pixels of the source + pixels of the result) time. Besides the result, memory for the
  ///   rows under the filter.
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
      width: plan.size.width, height: plan.size.height, pixelFormat: pixelFormat, colorSpace: colorSpace,
      scale: scale)
    try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
      try withUnsafeBytes { source throws(ImageCodecError) in
        try graph.run(from: source, to: destination, limits: limits, watch: watch)
      }
    }
    return result
  }
}
