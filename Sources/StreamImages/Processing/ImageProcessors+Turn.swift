extension ImageProcessing where Self == ImageProcessors.Turn {
  /// Rotates the image clockwise. For angles other than multiples of 90 degrees, the corners become transparent.
  public static func rotate(degrees: Double) -> Self { Self(degrees: degrees) }

  /// Mirrors the image horizontally, vertically, or both.
  public static func flip(horizontally: Bool = false, vertically: Bool = false) -> Self {
    Self(degrees: 0, flippingHorizontally: horizontally, vertically: vertically)
  }
}

extension ImageProcessors {
  /// Rotates an image, then mirrors it.
  public struct Turn: ImageProcessing, Hashable {
    /// The angle, clockwise.
    public let degrees: Double
    /// Whether left and right are swapped, after rotating.
    public let flipsHorizontally: Bool
    /// Whether top and bottom are swapped, after rotating.
    public let flipsVertically: Bool
    public let identifier: String

    /// Creates a processor that rotates clockwise, and then mirrors.
    public init(
      degrees: Double, flippingHorizontally horizontally: Bool = false, vertically: Bool = false
    ) {
      self.degrees = degrees
      flipsHorizontally = horizontally
      flipsVertically = vertically
      identifier = ProcessorIdentifier.make(
        "turn", .number(degrees), horizontally ? "horizontally" : nil, vertically ? "vertically" : nil)
    }

    public func process(_ image: Image, _ context: ImageProcessingContext) throws -> Image {
      try image.turned(degrees: degrees, isCancelled: context.isCancelled)
        .flipped(horizontally: flipsHorizontally, vertically: flipsVertically)
    }
  }
}
