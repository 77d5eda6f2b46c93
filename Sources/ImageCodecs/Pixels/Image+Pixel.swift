extension Image {
  /// Returns the color of one pixel, rounded to eight bits; `nil` outside of the image.
  ///
  /// Not fast enough for loops: use ``withUnsafeBytes(_:)`` there.
  public func pixel(x: Int, y: Int) -> Pixel? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    let (channels, isWide) = (pixelFormat.channelCount, pixelFormat.isWide)
    let offset = y * bytesPerRow + x * pixelFormat.bytesPerPixel
    return withUnsafeBytes { bytes in
      let sample = { (channel: Int) -> UInt8 in
        guard isWide else { return bytes[offset + channel] }
        let wide = bytes.loadUnaligned(fromByteOffset: offset + channel * 2, as: UInt16.self)
        return UInt8((Int(wide) * 255 + 32_767) / 65_535)
      }
      return Pixel(
        red: sample(0), green: sample(channels > 1 ? 1 : 0), blue: sample(channels > 1 ? 2 : 0),
        alpha: channels == 4 ? sample(3) : 255)
    }
  }

  /// A color with straight alpha and eight bits per channel.
  public struct Pixel: Sendable, Hashable, CustomStringConvertible {
    /// From 0 to 255.
    public var red: UInt8
    /// From 0 to 255.
    public var green: UInt8
    /// From 0 to 255.
    public var blue: UInt8
    /// From 0, transparent, to 255, opaque.
    public var alpha: UInt8

    /// Creates a color, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Transparent black.
    public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
    /// Opaque black.
    public static let black = Pixel(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Pixel(red: 255, green: 255, blue: 255)

    public var description: String { "(\(red), \(green), \(blue), \(alpha))" }
  }
}
