/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Creates a size. Values are checked where they are used.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  public var description: String { "\(width) × \(height)" }

  package var swapped: PixelSize { PixelSize(width: height, height: width) }

  /// `nil` if the product overflows.
  package var pixelCount: Int? {
    let (product, overflows) = width.multipliedReportingOverflow(by: height)
    return overflows ? nil : product
  }
}
