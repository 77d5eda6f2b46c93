extension ImageProcessing where Self == ImageProcessors.Circle {
  /// Crops the image to a circle.
  public static func circle(border: ImageProcessors.Border? = nil) -> Self { Self(border: border) }
}

extension ImageProcessors {
  /// Crops an image to the largest square in its center, and then to a circle. The corners become transparent.
  public struct Circle: ImageProcessing, Hashable {
    /// The border of the circle, or `nil` for none.
    public let border: Border?
    public let identifier: String

    /// Creates a processor that crops to a circle.
    public init(border: Border? = nil) {
      self.border = border
      identifier = ProcessorIdentifier.make("circle", .border(border))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      let side = min(image.width, image.height)
      let square = try image.cropped(
        x: (image.width - side) / 2, y: (image.height - side) / 2, width: side, height: side)
      return try square.rounded(radius: Double(side) / 2, border: border)
    }
  }
}
