extension ImageProcessing where Self == ImageProcessors.Pixelate {
  /// Turns the image into squares of one color.
  public static func pixelate(side: Double = 8, unit: ImageProcessors.Unit = .pixels) -> Self {
    Self(side: side, unit: unit)
  }
}

extension ImageProcessors {
  /// Turns an image into squares of one color, which is the average of their pixels.
  ///
  /// It does not make text or faces unreadable for good: the averages say something about them. Paint over secrets.
  public struct Pixelate: ImageProcessing, Hashable {
    /// The side of a square in pixels, rounded.
    public let side: Double
    public let identifier: String

    /// Creates a processor that pixelates. It fails if the side is less than half a pixel.
    public init(side: Double = 8, unit: Unit = .pixels) {
      self.side = (side * unit.pixels).rounded()
      identifier = ProcessorIdentifier.make("pixelate", .number(self.side))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      guard side >= 1, side < 1e9 else {
        throw ImageCodecError.invalidSetting("squares of \(side) pixels")
      }
      return try image.pixelated(side: Int(side), isCancelled: context.isCancelled)
    }
  }
}
