extension ImageProcessing where Self == ImageProcessors.Trim {
  /// Cuts off edges of one color.
  public static func trim(tolerance: Double = 0.04) -> Self { Self(tolerance: tolerance) }
}

extension ImageProcessors {
  /// Cuts off rows and columns at the edges of an image that have the color of its top left pixel.
  ///
  /// Transparent pixels have the same color. An image of one color is not changed.
  public struct Trim: ImageProcessing, Hashable {
    /// How much a channel may differ, as a share of its range.
    public let tolerance: Double
    public let identifier: String

    /// Creates a processor that trims. It fails unless `tolerance` is from 0 to 1.
    public init(tolerance: Double = 0.04) {
      self.tolerance = tolerance
      identifier = ProcessorIdentifier.make("trim", .number(tolerance))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.trimmed(tolerance: tolerance)
    }
  }
}
