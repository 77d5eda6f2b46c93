extension ImageProcessing where Self == ImageProcessors.Circle {
  /// Cuts the picture to a circle.
  public static func circle(border: ImageProcessors.Border? = nil) -> Self { Self(border: border) }
}

extension ImageProcessors {
  /// Cuts a picture to the largest square in its middle, and that to a circle on a transparent ground.
  public struct Circle: ImageProcessing, Hashable {
    /// The line along the circle, if there is one.
    public let border: Border?
    public let identifier: String

    /// A circle, with a line along it if there is a border.
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
