extension ImageProcessing where Self == ImageProcessors.Sharpen {
  /// Sharpens the image.
  public static func sharpen(radius: Double = 1, amount: Double = 1) -> Self {
    Self(radius: radius, amount: amount)
  }
}

extension ImageProcessors {
  /// Sharpens an image by an unsharp mask: adds its difference to a blurred image.
  ///
  /// Sharpen after resizing. Flat areas and alpha stay the same. The result has eight bits per channel.
  public struct Sharpen: ImageProcessing, Hashable {
    /// The standard deviation of the blur in pixels: the size of the details that become sharper.
    public let radius: Double
    /// How much of the difference is added. 0 changes nothing.
    public let amount: Double
    public let identifier: String

    /// Creates a processor that sharpens.
    ///
    /// A `radius` of zero or less changes nothing, and one above 1,000 fails. `amount` is from 0 to 100.
    public init(radius: Double = 1, amount: Double = 1) {
      self.radius = radius
      self.amount = amount
      identifier = ProcessorIdentifier.make("sharpen", .number(radius), .number(amount))
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.sharpened(radius: radius, amount: amount, isCancelled: context.isCancelled)
    }
  }
}
