import CCodecs

extension Image {
  /// Returns the image with rounded corners, and a border along the new edge.
  ///
  /// The size is kept. The radius is at most half of the shorter side. Edges are antialiased. The border is inside the
  /// image.
  public func rounded(
    radius: Double, borderWidth: Double = 0, borderColor: Pixel = Pixel(red: 0, green: 0, blue: 0)
  ) throws(ImageCodecError) -> Image {
    guard radius >= 0, borderWidth >= 0, borderWidth.isFinite else {
      throw .invalidSetting("corners of radius \(radius) with a border of \(borderWidth)")
    }
    var rounding = CodecRounding(
      width: width, height: height, radius: Float(min(radius, Double(min(width, height)) / 2)),
      borderWidth: Float(borderWidth),
      border: (borderColor.red, borderColor.green, borderColor.blue, borderColor.alpha))
    return try withAlpha().changed { pixels, _ in codec_round_corners(pixels, &rounding) }
  }
}
