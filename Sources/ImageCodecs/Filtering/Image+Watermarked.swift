extension Image {
  /// Where a mark is on an image.
  public struct MarkPlacement: Sendable, Hashable {
    /// The position of a single mark: 0 is left or top, 1 is right or bottom.
    public var x: Double
    /// The same, from top to bottom.
    public var y: Double
    /// The width of the mark as a share of the width of the image; `nil` keeps the size of the mark.
    public var scale: Double?
    /// The distance in pixels to the edges of the image. If it is repeated, that between two marks.
    public var margin: Int
    /// Whether the mark covers the whole image in rows and columns.
    public var repeats: Bool

    /// Creates a placement, in the lower right corner by default.
    public init(x: Double = 1, y: Double = 1, scale: Double? = nil, margin: Int = 0, repeats: Bool = false) {
      (self.x, self.y, self.scale, self.margin, self.repeats) = (x, y, scale, margin, repeats)
    }
  }

  /// Returns the image with another image over it.
  ///
  /// Parts outside of this image are cut off. `opacity`, from 0 to 1, multiplies the alpha of the mark.
  ///
  /// Throws ``ImageCodecError/invalidSetting(_:)`` for a position or an opacity that is not from 0 to 1, a scale that is not
  /// above 0 and at most 1, or a margin that is negative or above 65,535.
  ///
  /// - Complexity: O(pixels), also if the mark is repeated.
  public func watermarked(
    with mark: Image, at placement: MarkPlacement = MarkPlacement(), opacity: Double = 1,
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    guard (0...1).contains(placement.x), (0...1).contains(placement.y),
      (0...65_535).contains(placement.margin)
    else { throw .invalidSetting("a mark at \(placement.x), \(placement.y), \(placement.margin) pixels") }
    var mark = mark
    if let scale = placement.scale {
      guard scale > 0, scale <= 1 else { throw .invalidSetting("a mark of \(scale) times the width") }
      let target = ResizeTarget(width: max(1, Double(width) * scale), height: nil, upscales: true)
      mark = try mark.resized(to: target, isCancelled: isCancelled)
    }
    guard placement.repeats else {
      let position = { (space: Int, share: Double) in
        placement.margin + Int((Double(space - 2 * placement.margin) * share).rounded())
      }
      return try blended(
        with: mark, atX: position(width - mark.width, placement.x),
        y: position(height - mark.height, placement.y), opacity: opacity)
    }
    return try blended(with: try tiled(mark, gap: placement.margin, isCancelled), opacity: opacity)
  }

  /// A layer of this size with the mark in rows and columns, from the top left corner on.
  private func tiled(
    _ mark: Image, gap: Int, _ isCancelled: () -> Bool
  ) throws(ImageCodecError) -> Image {
    let mark = try mark.withAlpha()
    var line = try blank(width: width, height: min(mark.height, height), pixelFormat: .rgba8)
    for x in stride(from: 0, to: width, by: mark.width + gap) {
      if isCancelled() { throw .cancelled }
      try line.paste(try mark.cropped(x: 0, y: 0, width: width - x, height: line.height), x: x, y: 0)
    }
    var layer = try blank(width: width, height: height, pixelFormat: .rgba8)
    for y in stride(from: 0, to: height, by: mark.height + gap) {
      if isCancelled() { throw .cancelled }
      try layer.paste(try line.cropped(x: 0, y: 0, width: width, height: height - y), x: 0, y: y)
    }
    return layer
  }
}
