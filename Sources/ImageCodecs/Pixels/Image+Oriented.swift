import CCodecs

extension Image {
  /// Returns the upright image of pixels that are stored with `orientation`.
  ///
  /// Decoded images are upright already; this is for pixels from elsewhere.
  public func oriented(_ orientation: ImageOrientation) throws(ImageCodecError) -> Image {
    if orientation == .up { return self }
    let upright = orientation.upright(size)
    var result = try Image(
      width: upright.width, height: upright.height, pixelFormat: pixelFormat, colorSpace: colorSpace,
      scale: scale)
    try result.withUnsafeMutableBytes { destination throws(ImageCodecError) in
      withUnsafeBytes { source in
        codec_orient(
          source.bytes, width, height, pixelFormat.bytesPerPixel, Int32(orientation.rawValue),
          destination.bytes)
      }
    }
    result.gainMap = try gainMap?.oriented(orientation)
    return result
  }
}
