extension ImageProcessing where Self == ImageProcessors.Blend {
  /// Paints the image in one color and keeps its transparency.
  public static func tint(_ color: Image.Pixel) -> Self { Self(color, mode: .sourceAtop, name: "tint") }

  /// Overlays the image with a color, except where it is transparent. `fraction`, from 0 to 1, is how much of the
  /// image remains visible under an opaque color.
  public static func overlay(_ color: Image.Pixel, fraction: Double = 0.5) -> Self {
    Self(color, mode: .sourceAtop, opacity: 1 - fraction, name: "overlay")
  }

  /// Blends the image with a color.
  public static func blend(_ color: Image.Pixel, mode: BlendMode) -> Self { Self(color, mode: mode) }

  /// Blends another image over this one, with its `anchor` at the same `anchor` of this one.
  ///
  /// `opacity`, from 0 to 1, multiplies the alpha of the upper image. Its parts outside of this image are cut off.
  public static func blend(
    _ image: Image, mode: BlendMode = .normal, opacity: Double = 1,
    anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    Self(image, mode: mode, opacity: opacity, anchor: anchor)
  }
}

extension ImageProcessors {
  /// Blends an image with a color or with another image.
  public struct Blend: ImageProcessing {
    private enum Above {
      case color(Image.Pixel)
      case image(Image, Anchor)
    }

    private let above: Above
    /// How the colors are blended.
    public let mode: BlendMode
    /// The factor for the alpha of the upper layer, from 0 to 1.
    public let opacity: Double
    public let identifier: String

    /// Blends a color over the whole image.
    public init(_ color: Image.Pixel, mode: BlendMode, opacity: Double = 1) {
      self.init(color, mode: mode, opacity: opacity, name: "blend")
    }

    fileprivate init(_ color: Image.Pixel, mode: BlendMode, opacity: Double = 1, name: String) {
      above = .color(color)
      self.mode = mode
      self.opacity = opacity
      identifier = ProcessorIdentifier.make(name, .color(color), .name(mode), .number(opacity))
    }

    /// Blends an image over part of the image. The identifier contains a hash of its pixels, which takes time to
    /// compute.
    public init(_ image: Image, mode: BlendMode = .normal, opacity: Double = 1, anchor: Anchor = .center) {
      above = .image(image, anchor)
      self.mode = mode
      self.opacity = opacity
      identifier = ProcessorIdentifier.make(
        "blend", .pixels(image), .name(mode), .number(opacity), .number(anchor.x), .number(anchor.y))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      switch above {
      case .color(let color):
        guard (0...1).contains(opacity) else {
          throw ImageCodecError.invalidSetting("an opacity of \(opacity)")
        }
        var color = color
        color.alpha = UInt8((Double(color.alpha) * opacity).rounded())
        return try image.blended(with: color, mode: mode)
      case .image(let other, let anchor):
        guard (0...1).contains(anchor.x), (0...1).contains(anchor.y) else {
          throw ImageCodecError.invalidSetting("an anchor at \(anchor.x), \(anchor.y)")
        }
        return try image.blended(
          with: other, atX: Int((Double(image.width - other.width) * anchor.x).rounded()),
          y: Int((Double(image.height - other.height) * anchor.y).rounded()), mode: mode, opacity: opacity)
      }
    }
  }
}
