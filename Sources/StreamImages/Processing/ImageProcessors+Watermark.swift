extension ImageProcessing where Self == ImageProcessors.Watermark {
  /// Puts another image over this one, in the lower right corner by default.
  public static func watermark(
    _ mark: Image, anchor: ImageProcessors.Anchor = .bottomRight, scale: Double? = nil,
    opacity: Double = 1, margin: Double = 0, unit: ImageProcessors.Unit = .pixels, repeats: Bool = false
  ) -> Self {
    Self(
      mark, anchor: anchor, scale: scale, opacity: opacity, margin: margin, unit: unit, repeats: repeats)
  }
}

extension ImageProcessors {
  /// Puts another image over an image, once or in rows and columns.
  public struct Watermark: ImageProcessing {
    private let mark: Image
    private let placement: Image.MarkPlacement
    /// The factor for the alpha of the mark, from 0 to 1.
    public let opacity: Double
    public let identifier: String
    private let margin: Double

    /// Creates a processor. Its identifier contains a hash of the mark's pixels, which takes time to compute.
    ///
    /// - Parameters:
    ///   - mark: The image to put over others.
    ///   - anchor: The position of the mark. Its `anchor` is at the `anchor` of the image.
    ///   - scale: The width of the mark as a share of that of the image, from 0 to 1. `nil` keeps its size.
    ///   - opacity: The factor for its alpha, from 0 to 1.
    ///   - margin: The distance to the edges, or between marks if they are repeated.
    ///   - unit: The unit of `margin`.
    ///   - repeats: Whether marks cover the whole image. Then `anchor` is not used.
    public init(
      _ mark: Image, anchor: Anchor = .bottomRight, scale: Double? = nil, opacity: Double = 1,
      margin: Double = 0, unit: Unit = .pixels, repeats: Bool = false
    ) {
      self.mark = mark
      self.opacity = opacity
      self.margin = margin * unit.pixels
      placement = Image.MarkPlacement(x: anchor.x, y: anchor.y, scale: scale, repeats: repeats)
      identifier = ProcessorIdentifier.make(
        "watermark", .pixels(mark), .number(anchor.x), .number(anchor.y),
        scale.map { .number($0) } ?? "unscaled", .number(opacity), .number(self.margin),
        repeats ? "repeated" : nil)
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      guard margin >= 0, margin <= 65_535 else {
        throw ImageCodecError.invalidSetting("a margin of \(margin) pixels")
      }
      var placement = placement
      placement.margin = Int(margin.rounded())
      return try image.watermarked(
        with: mark, at: placement, opacity: opacity, isCancelled: context.isCancelled)
    }
  }
}
