extension ImageProcessing where Self == ImageProcessors.RoundedCorners {
  /// Rounds the corners of the image.
  public static func roundedCorners(
    radius: Double, unit: ImageProcessors.Unit = .pixels, border: ImageProcessors.Border? = nil
  ) -> Self {
    Self(radius: radius, unit: unit, border: border)
  }
}

extension ImageProcessing where Self == ImageProcessors.Circle {
  /// Crops the image to a circle.
  public static func circle(border: ImageProcessors.Border? = nil) -> Self { Self(border: border) }
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

  /// Crops an image to the largest square in its center, and then to a circle. The corners become transparent.
  public struct Circle: ImageProcessing, Hashable {
    /// The border of the circle, or `nil` for none.
    public let border: Border?
    public let identifier: String

    /// Creates a processor that crops to a circle.
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

  /// A line inside the edge of an image.
  public struct Border: Sendable, Hashable {
    /// The color, blended by its alpha.
    public var color: Image.Pixel
    /// The width of the line, in ``unit``.
    public var width: Double
    /// The unit of ``width``. Pixels by default.
    public var unit: Unit

    /// Creates a border.
    public init(color: Image.Pixel, width: Double = 1, unit: Unit = .pixels) {
      self.color = color
      self.width = width
      self.unit = unit
    }

    var pixels: Double { width * unit.pixels }
  }
}

extension Image {
  func rounded(radius: Double, border: ImageProcessors.Border?) throws(ImageCodecError) -> Image {
    guard let border else { return try rounded(radius: radius) }
    return try rounded(radius: radius, borderWidth: border.pixels, borderColor: border.color)
  }
}
