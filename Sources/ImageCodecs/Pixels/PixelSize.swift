/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int

  /// A size; any numbers are allowed here and checked where they are used.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width) × \(height)" }

  package var swapped: PixelSize { PixelSize(width: height, height: width) }

  /// Nil when the product does not fit an `Int`.
  package var pixelCount: Int? {
    let (product, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows ? nil : product
  }
}
