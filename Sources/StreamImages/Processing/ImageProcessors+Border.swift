extension ImageProcessors {
  /// A line along the edge of a picture, inside of it.
  public struct Border: Sendable, Hashable {
    /// Painted over the picture, alpha counted in.
    public var color: Image.Pixel
    /// How far it reaches inwards, in ``unit``.
    public var width: Double
    /// Pixels by default.
    public var unit: Unit

    /// A border inside the edges.
    public init(color: Image.Pixel, width: Double = 1, unit: Unit = .pixels) {
      self.color = color
      self.width = width
      self.unit = unit
    }

    var pixels: Double { width * unit.pixels }
  }
}
