import CCodecs

extension Image {
  /// Returns an image of zeros with the color space and scale of this one.
  ///
  /// Gray that becomes colored loses its profile, which would not describe the result.
  func blank(width: Int, height: Int, pixelFormat: PixelFormat) throws(ImageCodecError) -> Image {
    let isDescribed = colorSpace.profile?.describes(pixelFormat) ?? true
    return try Image(
      width: width, height: height, pixelFormat: pixelFormat,
      colorSpace: isDescribed ? colorSpace : .untagged,
      scale: scale)
  }

  /// Returns a copy whose pixels `change` has overwritten. It receives the number of pixels.
  func changed(_ change: (UnsafeMutablePointer<UInt8>?, Int) -> Void) throws(ImageCodecError) -> Image {
    var result = self
    result.gainMap = nil
    try result.withUnsafeMutableBytes { change($0.bytes, width * height) }
    return result
  }

  /// Returns the same pixels with at least three color channels of eight bits.
  package func colored() throws(ImageCodecError) -> Image {
    let image = try reducedTo8Bits()
    return image.pixelFormat == .gray8
      ? try image.converted(to: .rgb8) { codec_gray_to_rgb($0, $1, $2) } : image
  }

  /// Returns the same pixels with an alpha channel of eight bits.
  package func withAlpha() throws(ImageCodecError) -> Image {
    switch pixelFormat {
    case .gray8: try converted(to: .rgba8) { codec_gray_to_rgba($0, $1, $2) }
    case .rgb8: try converted(to: .rgba8) { codec_rgb_to_rgba($0, $1, $2) }
    case .rgba8: self
    case .gray16, .rgb16, .rgba16: try reducedTo8Bits().withAlpha()
    }
  }

  private func converted(
    to format: PixelFormat,
    _ convert: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?) -> Void
  ) throws(ImageCodecError) -> Image {
    var result = try blank(width: width, height: height, pixelFormat: format)
    try result.withUnsafeMutableBytes { destination in
      withUnsafeBytes { source in convert(source.bytes, width * height, destination.bytes) }
    }
    return result
  }
}

extension Image {
  /// Returns an opaque image without its alpha channel.
  func opaque() throws(ImageCodecError) -> Image {
    guard pixelFormat == .rgba8 else { return self }
    return try converted(to: .rgb8) { codec_rgba_to_rgb($0, $1, $2) }
  }
}
