extension ImageProcessing where Self == ImageProcessors.Turn {
  /// Turns the picture clockwise. The corners of angles other than quarters become transparent.
  public static func rotate(degrees: Double) -> Self { Self(degrees: degrees) }

  /// Shows the picture as in a mirror beside it, below it, or both.
  public static func flip(horizontally: Bool = false, vertically: Bool = false) -> Self {
    Self(degrees: 0, flippingHorizontally: horizontally, vertically: vertically)
  }
}

extension ImageProcessors {
  /// Turns a picture, then mirrors it.
  public struct Turn: ImageProcessing, Hashable {
    /// Clockwise.
    public let degrees: Double
    /// Whether left and right change places, after turning.
    public let flipsHorizontally: Bool
    /// Whether top and bottom change places, after turning.
    public let flipsVertically: Bool
    public let identifier: String

    /// Turns clockwise, and then flips.
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
