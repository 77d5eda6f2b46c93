extension ImageProcessors {
  /// A relative position in an image: 0 is left or top, 1 is right or bottom. Other libraries call it gravity.
  public struct Anchor: Sendable, Hashable {
    /// From 0 at the left edge to 1 at the right edge.
    public var x: Double
    /// From 0 at the top edge to 1 at the bottom edge.
    public var y: Double

    /// Creates an anchor.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }

    /// The center.
    public static let center = Anchor(x: 0.5, y: 0.5)
    /// A corner.
    public static let topLeft = Anchor(x: 0, y: 0)
    /// The middle of the upper edge.
    public static let top = Anchor(x: 0.5, y: 0)
    /// A corner.
    public static let topRight = Anchor(x: 1, y: 0)
    /// The middle of the left edge.
    public static let left = Anchor(x: 0, y: 0.5)
    /// The middle of the right edge.
    public static let right = Anchor(x: 1, y: 0.5)
    /// A corner.
    public static let bottomLeft = Anchor(x: 0, y: 1)
    /// The middle of the lower edge.
    public static let bottom = Anchor(x: 0.5, y: 1)
    /// A corner.
    public static let bottomRight = Anchor(x: 1, y: 1)
  }

  /// What is kept when an image is cropped without a position.
  public enum Interest: String, Sendable, Hashable {
    /// Edges, saturated colors and colors of skin. See `Image.attentiveOrigin(of:isCancelled:)`.
    case attention
  }
}
