public import Foundation

extension ImageProcessing where Self == ImageProcessors.Pad {
  /// Extends the image to a size. The rest has a color.
  public static func pad(
    to size: CGSize, unit: ImageProcessors.Unit = .pixels, anchor: ImageProcessors.Anchor = .center,
    color: Image.Pixel = .clear
  ) -> Self {
    Self(to: size, unit: unit, anchor: anchor, color: color)
  }

  /// Adds edges of a color.
  public static func pad(
    _ width: Double, unit: ImageProcessors.Unit = .pixels, color: Image.Pixel = .clear
  ) -> Self {
    Self(top: width, left: width, bottom: width, right: width, unit: unit, color: color)
  }
}

extension ImageProcessing where Self == ImageProcessors.Background {
  /// Replaces transparency by a color.
  public static func background(_ color: Image.Pixel) -> Self { Self(color) }
}

extension ImageProcessors {
  /// Extends an image by edges of one color. Nothing is cut off, and nothing is resized.
  ///
  /// With a transparent color, the result has an alpha channel. Transparent parts of the image stay transparent: add
  /// a ``Background`` to color them as well.
  public struct Pad: ImageProcessing, Hashable {
    private enum Edges: Hashable {
      case size(width: Double, height: Double, Anchor)
      case widths(top: Double, left: Double, bottom: Double, right: Double)
    }

    private let edges: Edges
    /// The color of the edges.
    public let color: Image.Pixel
    public let identifier: String

    /// Extends to a size. The `anchor` of the image is at the `anchor` of the result. A side that is long enough stays the same.
    public init(to size: CGSize, unit: Unit = .pixels, anchor: Anchor = .center, color: Image.Pixel = .clear)
    {
      let (width, height) = (Double(size.width) * unit.pixels, Double(size.height) * unit.pixels)
      edges = .size(width: width, height: height, anchor)
      self.color = color
      identifier = ProcessorIdentifier.make(
        "pad", .number(width), .number(height), "anchor", .number(anchor.x), .number(anchor.y), .color(color))
    }

    /// Adds edges.
    public init(
      top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0, unit: Unit = .pixels,
      color: Image.Pixel = .clear
    ) {
      let widths = [top, left, bottom, right].map { $0 * unit.pixels }
      edges = .widths(top: widths[0], left: widths[1], bottom: widths[2], right: widths[3])
      self.color = color
      identifier = ProcessorIdentifier.make(
        "pad", "edges", .number(widths[0]), .number(widths[1]), .number(widths[2]), .number(widths[3]),
        .color(color))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      switch edges {
      case .widths(let top, let left, let bottom, let right):
        return try image.padded(
          top: pixels(top), left: pixels(left), bottom: pixels(bottom), right: pixels(right), color: color)
      case .size(let width, let height, let anchor):
        guard (0...1).contains(anchor.x), (0...1).contains(anchor.y) else {
          throw ImageCodecError.invalidSetting("an anchor at \(anchor.x), \(anchor.y)")
        }
        let across = max(0, try pixels(width) - image.width)
        let down = max(0, try pixels(height) - image.height)
        let (left, top) = (
          Int((Double(across) * anchor.x).rounded()), Int((Double(down) * anchor.y).rounded())
        )
        return try image.padded(
          top: top, left: left, bottom: down - top, right: across - left, color: color)
      }
    }

    private func pixels(_ length: Double) throws(ImageCodecError) -> Int {
      guard length >= 0, length < 1e9 else { throw .invalidSize("an edge of \(length) pixels") }
      return Int(length.rounded())
    }
  }

  /// Shows a color where an image is transparent. With an opaque color, the result has no alpha channel.
  public struct Background: ImageProcessing, Hashable {
    /// The color.
    public let color: Image.Pixel
    public let identifier: String

    /// Creates a processor that replaces transparency.
    public init(_ color: Image.Pixel) {
      self.color = color
      identifier = ProcessorIdentifier.make("background", .color(color))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.flattened(over: color)
    }
  }
}
