extension ImageProcessing where Self == ImageProcessors.Blend {
  /// Paints the picture in one color: what was opaque is of that color, what was transparent stays so.
  public static func tint(_ color: Image.Pixel) -> Self { Self(color, mode: .sourceAtop, name: "tint") }

  /// Lays a color over the picture, where it is not transparent; a `fraction` of the picture, from 0 to 1, still shows.
  public static func overlay(_ color: Image.Pixel, fraction: Double = 0.5) -> Self {
    Self(color, mode: .sourceAtop, opacity: 1 - fraction, name: "overlay")
  }

  /// Mixes the picture with a color.
  public static func blend(_ color: Image.Pixel, mode: BlendMode) -> Self { Self(color, mode: mode) }

  /// Lays another picture over this one, so that `anchor` of the one lies on `anchor` of the other.
  ///
  /// `opacity`, from 0 to 1, multiplies the alpha of the picture above. What sticks out of this one is cut off.
  public static func blend(
    _ image: Image, mode: BlendMode = .normal, opacity: Double = 1,
    anchor: ImageProcessors.Anchor = .center
  ) -> Self {
    Self(image, mode: mode, opacity: opacity, anchor: anchor)
  }
}

extension ImageProcessors {
  /// Mixes a picture with a color, or with another picture, over it.
  public struct Blend: ImageProcessing {
    private enum Above {
      case color(Image.Pixel)
      case image(Image, Anchor)
    }

    private let above: Above
    /// How the colors are mixed.
    public let mode: BlendMode
    /// By what the alpha of what lies above is multiplied, from 0 to 1.
    public let opacity: Double
    public let identifier: String

    /// A color over all of the picture.
    public init(_ color: Image.Pixel, mode: BlendMode, opacity: Double = 1) {
      self.init(color, mode: mode, opacity: opacity, name: "blend")
    }

    fileprivate init(_ color: Image.Pixel, mode: BlendMode, opacity: Double = 1, name: String) {
      above = .color(color)
      self.mode = mode
      self.opacity = opacity
      identifier = ProcessorIdentifier.make(name, .color(color), .name(mode), .number(opacity))
    }

    /// A picture over part of the picture. Its pixels become part of the identifier, which takes a moment.
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
