import CCodecs

extension Image {
  /// The layout of a pixel in memory.
  ///
  /// Formats may be added, so use a default case in switches.
  public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One byte: 0 is black.
    case gray8
    /// Red, green and blue, one byte each.
    case rgb8
    /// Red, green, blue and straight alpha, one byte each.
    case rgba8
    /// Like `gray8` with sixteen bits, in native byte order.
    case gray16
    /// Like `rgb8` with sixteen bits.
    case rgb16
    /// Like `rgba8` with sixteen bits.
    case rgba16

    /// The size of a pixel in bytes.
    public var bytesPerPixel: Int { channelCount * bitsPerChannel / 8 }

    /// One for gray, three for colors, and one more for alpha.
    public var channelCount: Int {
      switch self {
      case .gray8, .gray16: 1
      case .rgb8, .rgb16: 3
      case .rgba8, .rgba16: 4
      }
    }

    /// Eight or sixteen.
    public var bitsPerChannel: Int {
      switch self {
      case .gray8, .rgb8, .rgba8: 8
      case .gray16, .rgb16, .rgba16: 16
      }
    }

    /// Whether pixels can be transparent.
    public var hasAlpha: Bool { channelCount == 4 }

    package var isGray: Bool { channelCount == 1 }
    package var isWide: Bool { bitsPerChannel == 16 }

    package init?(channels: Int, bits: Int = 8) {
      switch (channels, bits) {
      case (1, 8): self = .gray8
      case (3, 8): self = .rgb8
      case (4, 8): self = .rgba8
      case (1, 16): self = .gray16
      case (3, 16): self = .rgb16
      case (4, 16): self = .rgba16
      default: return nil
      }
    }

    /// The same channels with this number of bits.
    func of(bits: Int) -> PixelFormat { PixelFormat(channels: channelCount, bits: bits) ?? self }
  }

  /// Returns the image with eight bits per channel, rounded; the same image if it has no more.
  ///
  /// Resizing by encoded values, cropping, mirroring, rotating by multiples of 90 degrees, conversion to sRGB, PNG and JPEG XL keep
  /// sixteen bits. Other filters and encoders call this first.
  public func reducedTo8Bits() throws(ImageCodecError) -> Image {
    guard pixelFormat.isWide else { return self }
    var result = try Image(
      width: width, height: height, pixelFormat: pixelFormat.of(bits: 8), colorSpace: colorSpace, scale: scale
    )
    let count = width * height * pixelFormat.channelCount
    try result.withUnsafeMutableBytes { destination in
      withUnsafeBytes { source in codec_narrow(source.baseAddress, count, destination.bytes) }
    }
    result.gainMap = gainMap
    return result
  }
}
