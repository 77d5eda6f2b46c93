extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// Rounds the corners of the picture.
  public static func roundedCorners(
    radius: Double, unit: ImageProcessors.Unit = .pixels, border: ImageProcessors.Border? = nil
  ) -> Self {
    Self(radius: radius, unit: unit, border: border)
  }
}

extension ImageProcessors {
  /// Rounds the corners of a picture, whose size stays. The corners become transparent.
  ///
  /// Corners are measured in the pixels of the picture: resize it first.
  public struct RoundedCorners: ImageProcessing, Hashable {
    /// In pixels, whatever unit it was given in.
    public let radius: Double
    /// The line along the edge, if there is one.
    public let border: Border?
    public let identifier: String

    /// Rounds the corners by this radius. Above half of the shorter side it is that half.
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
