extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
  /// Blurs the image.
  public static func gaussianBlur(radius: Double = 8, light: Image.Light = .encoded) -> Self {
    Self(radius: radius, light: light)
  }
}

extension ImageProcessors {
  /// Blurs an image. Its size stays the same, and opaque images stay opaque.
  public struct GaussianBlur: ImageProcessing, Hashable {
    /// The standard deviation in pixels.
    public let radius: Double
    /// Whether encoded or linear values are averaged. Encoded by default.
    public let light: Image.Light
    public let identifier: String

    /// Creates a processor that blurs.
    ///
    /// `radius` is the standard deviation in pixels. Zero or less changes nothing, and more than 1,000 fails.
    public init(radius: Double = 8, light: Image.Light = .encoded) {
      self.radius = radius
      self.light = light
      identifier = ProcessorIdentifier.make("blur", .number(radius), light == .linear ? "linear" : nil)
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.blurred(radius: radius, in: light, isCancelled: context.isCancelled)
    }
  }
}
