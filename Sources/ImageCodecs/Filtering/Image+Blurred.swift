import CCodecs

extension Image {
  /// The largest radius of a blur.
  package static let maximumBlurRadius = 1_000.0

  /// Returns the image with a Gaussian blur. `radius` is the standard deviation in pixels.
  ///
  /// From a radius of 2, three box filters are used; the difference is not visible. Edge pixels are repeated beyond
  /// the edges, so opaque images stay opaque. Transparent pixels do not change the color of their neighbours. A radius
  /// of zero or less changes nothing.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for radii above 1,000 or that are not numbers.
  ///
  /// - Complexity: O(pixels) for any radius. Needs twice the memory of the image, and that of 128 rows or columns, in addition
  ///   to the result.
  public func blurred(
    radius: Double, in light: Light = .encoded, limits: DecodingLimits = .default,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard radius <= Image.maximumBlurRadius, radius > -.infinity else {
      throw .invalidSetting("a blur radius of \(radius)")
    }
    if radius <= 0 { return self }
    if pixelFormat.isWide {
      return try reducedTo8Bits().blurred(radius: radius, in: light, limits: limits, isCancelled: isCancelled)
    }
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

  /// Returns a sharpened image, by adding its difference to a blurred one.
  ///
  /// The difference is multiplied by `amount`, at most 100. `radius` is that of the blur, in pixels.
  public func sharpened(
    radius: Double, amount: Double, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard (0...100).contains(amount) else { throw .invalidSetting("an amount of \(amount)") }
    let image = try reducedTo8Bits()
    let blurred = try image.blurred(radius: radius, isCancelled: isCancelled)
    return try image.changed { pixels, pixelCount in
      blurred.withUnsafeBytes { blurred in
        codec_sharpen(pixels, blurred.bytes, pixelCount, image.pixelFormat.bytesPerPixel, Float(amount))
      }
    }
  }
}
