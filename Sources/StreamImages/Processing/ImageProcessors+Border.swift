extension ImageProcessors {
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
