extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// Rounds the corners of the image.
  public static func roundedCorners(
    radius: Double, unit: ImageProcessors.Unit = .pixels, border: ImageProcessors.Border? = nil
  ) -> Self {
    Self(radius: radius, unit: unit, border: border)
  }
}

extension ImageProcessors {
  /// Rounds the corners of an image. Its size stays the same, and the corners become transparent.
  ///
  /// The radius is measured in pixels of the image, so resize it first.
  public struct RoundedCorners: ImageProcessing, Hashable {
    /// The radius in pixels, whatever unit it was given in.
    public let radius: Double
    /// The border along the edge, or `nil` for none.
    public let border: Border?
    public let identifier: String

    /// Creates a processor that rounds corners. The radius is at most half of the shorter side.
    public init(radius: Double, unit: Unit = .pixels, border: Border? = nil) {
      self.radius = radius * unit.pixels
      self.border = border
      identifier = ProcessorIdentifier.make("rounded", .number(self.radius), .border(border))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.rounded(radius: radius, border: border)
    }
  }
}

extension Image {
  func rounded(radius: Double, border: ImageProcessors.Border?) throws(ImageCodecError) -> Image {
    guard let border else { return try rounded(radius: radius) }
    return try rounded(radius: radius, borderWidth: border.pixels, borderColor: border.color)
  }
}
