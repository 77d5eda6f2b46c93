import CCodecs

extension Image {
  /// How a pixel lies in memory.
  ///
  /// Formats may be added: switch with a default.
  public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One byte: 0 is black.
    case gray8
    /// Red, green, blue, one byte each.
    case rgb8
    /// Red, green, blue, alpha, one byte each. Alpha is straight: colors are not multiplied by it.
    case rgba8
    /// As `gray8`, in a number of sixteen bits, in the byte order of the machine.
    case gray16
    /// As `rgb8`, in numbers of sixteen bits.
    case rgb16
    /// As `rgba8`, in numbers of sixteen bits.
    case rgba16

    /// The distance between two pixels of a row.
    public var bytesPerPixel: Int { channelCount * bitsPerChannel / 8 }

    /// One for gray, three for colors, one more for alpha.
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

    /// The same channels, of so many bits.
    func of(bits: Int) -> PixelFormat { PixelFormat(channels: channelCount, bits: bits) ?? self }
  }

  /// The image with eight bits a channel, each rounded to the nearest; itself if it has no more.
  ///
  /// Resizing, cropping, turning by quarters and conversion to sRGB keep sixteen bits, as PNG does. All other filters and
  /// encoders do this first.
  public func reducedTo8Bits() throws(ImageCodecError) -> Image {
    guard pixelFormat.isWide else { return self }
    var result = try Image(
      width: width, height: height, pixelFormat: pixelFormat.of(bits: 8), colorSpace: colorSpace, scale: scale
    )
    let count = width * height * pixelFormat.channelCount
    try result.withUnsafeMutableBytes { destination in
      withUnsafeBytes { source in codec_narrow(source.baseAddress, count, destination.bytes) }
    }
    return result
  }
}
