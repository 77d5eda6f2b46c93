extension ImageProcessing where Self == ImageProcessors.GaussianBlur {
  /// Blurs the image.
  public static func gaussianBlur(radius: Double = 8, light: Image.Light = .encoded) -> Self {
    Self(radius: radius, light: light)
  }
}

extension ImageProcessing where Self == ImageProcessors.Sharpen {
  /// Sharpens the image.
  public static func sharpen(radius: Double = 1, amount: Double = 1) -> Self {
    Self(radius: radius, amount: amount)
  }
}

extension ImageProcessing where Self == ImageProcessors.Pixelate {
  /// Turns the image into squares of one color.
  public static func pixelate(side: Double = 8, unit: ImageProcessors.Unit = .pixels) -> Self {
    Self(side: side, unit: unit)
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
