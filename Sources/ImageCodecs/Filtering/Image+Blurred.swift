import CCodecs

extension Image {
  /// The longest reach of a blur.
  package static let maximumBlurRadius = 1_000.0

  /// The image under a Gaussian blur whose standard deviation is `radius` pixels.
  ///
  /// From a radius of 2 on three passes of a box, which differ from the curve by less than is seen. Beyond its edges the image goes
  /// on as it ends, so opaque images stay opaque and get no rim. Transparent pixels lend no color to their
  /// neighbours. A radius of zero or less changes nothing.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for radii above 1,000 or that are not numbers.
  ///
  /// - Complexity: O(pixels), whatever the radius. Besides the result, two bytes of memory for each of the image.
  public func blurred(
    radius: Double, in light: Light = .encoded, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard radius <= Image.maximumBlurRadius, radius > -.infinity else {
      throw .invalidSetting("a blur radius of \(radius)")
    }
    if radius <= 0 { return self }
    var blur = CodecBlur(
      width: width, height: height, channels: pixelFormat.bytesPerPixel, deviation: Float(radius),
      inLight: light == .linear)
    try limits.checkWork(byteCount: codec_blur_work(&blur))

    let watch = DecodingWatch(deadline: limits.deadline, isCancelled: isCancelled)
    var result = try blank(width: width, height: height, pixelFormat: pixelFormat)
    try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
      try withUnsafeBytes { source throws(ImageCodecError) in
        try watch.running { shouldContinue, context throws(ImageCodecError) in
          codec_blur(&blur, source.bytes, destination.bytes, shouldContinue, context)
        }
      }
    }
    return result
  }

  /// Moves every pixel away from what a blur makes of it, which makes edges look sharper.
  ///
  /// `amount` times the difference is added; above 100 it throws. `radius` is that of the blur, in pixels.
  public func sharpened(
    radius: Double, amount: Double, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard (0...100).contains(amount) else { throw .invalidSetting("an amount of \(amount)") }
    let blurred = try blurred(radius: radius, isCancelled: isCancelled)
    return try changed { pixels, pixelCount in
      blurred.withUnsafeBytes { blurred in
        codec_sharpen(pixels, blurred.bytes, pixelCount, pixelFormat.bytesPerPixel, Float(amount))
      }
    }
  }
}
