extension Image {
  /// Returns the image on a larger canvas of one color.
  ///
  /// The result has eight bits per channel, and an alpha channel if the image or the color is transparent. Transparent
  /// parts of the image stay so; see ``flattened(over:)``.
  ///
  /// Throws ``ImageCodecError/invalidSize(_:)`` for negative edges, and ``ImageCodecError/tooLarge(width:height:limit:)`` if the
  /// result would exceed `limits`.
  ///
  /// - Parameters:
  ///   - top: The number of rows above the image.
  ///   - left: The number of columns on its left.
  ///   - bottom: The number of rows below it.
  ///   - right: The number of columns on its right.
  ///   - color: The color of these rows and columns.
  ///   - limits: The limits for the size of the result.
  public func padded(
    top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0, color: Pixel,
    limits: DecodingLimits = .default
  ) throws(ImageCodecError) -> Image {
    let edges = [top, left, bottom, right]
    guard edges.allSatisfy({ (0...Image.maximumSide).contains($0) }) else {
      throw .invalidSize("edges of \(edges) pixels")
    }
    if edges.allSatisfy({ $0 == 0 }) { return self }
    let isTransparent = pixelFormat.hasAlpha || color.alpha < 255
    let image = isTransparent ? try withAlpha() : try colored()
    let size = PixelSize(width: width + left + right, height: height + top + bottom)
    try limits.checkFrame(size, bytesPerPixel: image.pixelFormat.bytesPerPixel)
    var canvas = try image.canvas(size, color)
    try canvas.paste(image, x: left, y: top)
    return canvas
  }

  /// Returns an opaque image: what is transparent shows the color.
  ///
  /// An image without transparency is returned unchanged. If the color is transparent itself, the result has an alpha
  /// channel.
  public func flattened(over color: Pixel) throws(ImageCodecError) -> Image {
    guard pixelFormat.hasAlpha else { return self }
    let mixed = try blended(with: color, mode: .destinationOver)
    return color.alpha == 255 ? try mixed.opaque() : mixed
  }

  /// An image of one color in the format of this one, which is not gray.
  private func canvas(_ size: PixelSize, _ color: Pixel) throws(ImageCodecError) -> Image {
    var result = try blank(width: size.width, height: size.height, pixelFormat: pixelFormat)
    let channels = pixelFormat.channelCount
    let bytes = [color.red, color.green, color.blue, color.alpha]
    let rowSize = result.bytesPerRow
    try result.withUnsafeMutableBytes { pixels in
      for index in 0..<rowSize { pixels[index] = bytes[index % channels] }
      let first = UnsafeRawBufferPointer(rebasing: pixels[..<rowSize])
      for row in 1..<size.height {
        UnsafeMutableRawBufferPointer(rebasing: pixels[row * rowSize..<(row + 1) * rowSize])
          .copyMemory(from: first)
      }
    }
    return result
  }
}
