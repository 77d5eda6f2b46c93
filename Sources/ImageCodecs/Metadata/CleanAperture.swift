/// The part of an image that is shown (ISO/IEC 14496-12, 12.1.4: clean aperture).
struct CleanAperture {
  private let width: Double
  private let height: Double
  /// From the center of the image to that of the part.
  private let across: Double
  private let down: Double

  /// `nil` unless all fractions have a value.
  init?(_ payload: ByteView) {
    // Only offsets may be negative.
    func fraction(_ offset: Int) -> Double? {
      guard let above = payload.big(offset, count: 4), let below = payload.big(offset + 4, count: 4),
        below > 0
      else { return nil }
      return Double(Int32(truncatingIfNeeded: above)) / Double(below)
    }
    guard let width = fraction(0), let height = fraction(8), let across = fraction(16),
      let down = fraction(24)
    else { return nil }
    (self.width, self.height, self.across, self.down) = (width, height, across, down)
  }

  /// Returns the part of an image of this size, on whole pixels. `nil` if nothing of it is inside.
  func area(of size: PixelSize) -> PixelArea? {
    let columns = CleanAperture.range(width, from: across, of: size.width)
    let rows = CleanAperture.range(height, from: down, of: size.height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelArea(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  private static func range(_ length: Double, from center: Double, of whole: Int) -> Range<Int> {
    let start = (center + (Double(whole) - length) / 2).rounded(.down)
    let bounds = [start, start + length.rounded()].map { Int(min(max($0, 0), Double(whole))) }
    return bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : 0..<0
  }
}
