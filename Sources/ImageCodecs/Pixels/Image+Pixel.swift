extension Image {
  /// The color of one pixel; nil outside of the image.
  ///
  /// For looking, not for loops: use ``withUnsafeBytes(_:)`` there.
  public func pixel(x: Int, y: Int) -> Pixel? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    let offset = y * bytesPerRow + x * pixelFormat.bytesPerPixel
    return withUnsafeBytes { bytes in
      switch pixelFormat {
      case .gray8:
        Pixel(red: bytes[offset], green: bytes[offset], blue: bytes[offset])
      case .rgb8:
        Pixel(red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2])
      case .rgba8:
        Pixel(
          red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2], alpha: bytes[offset + 3])
      }
    }
  }

  /// A color: straight alpha, 255 is full.
  public struct Pixel: Sendable, Hashable, CustomStringConvertible {
    /// From 0 to 255.
    public var red: UInt8
    /// From 0 to 255.
    public var green: UInt8
    /// From 0 to 255.
    public var blue: UInt8
    /// From 0, transparent, to 255, opaque.
    public var alpha: UInt8

    /// An opaque color, unless `alpha` is given.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    public var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}
