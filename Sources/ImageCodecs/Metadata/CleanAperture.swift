/// The part of an image that is shown (ISO/IEC 14496-12, 12.1.4: clean aperture).
struct CleanAperture {
  private let width: Fraction
  private let height: Fraction
  /// From the center of the image to that of the part.
  private let across: Fraction
  private let down: Fraction

  private struct Fraction {
    let value: Double

    /// `nil` if the fraction has no value. Only offsets may be negative.
    init?(_ bytes: ByteView, at offset: Int) {
      guard let above = bytes.big(offset, count: 4), let below = bytes.big(offset + 4, count: 4), below > 0
      else { return nil }
      value = Double(Int32(truncatingIfNeeded: above)) / Double(below)
    }
  }

  /// `nil` unless all fractions have a value.
  init?(_ payload: ByteView) {
    guard let width = Fraction(payload, at: 0), let height = Fraction(payload, at: 8),
      let across = Fraction(payload, at: 16), let down = Fraction(payload, at: 24)
    else { return nil }
    self.width = width
    self.height = height
    self.across = across
    self.down = down
  }

  /// Returns the part of an image of this size, on whole pixels. `nil` if nothing of it is inside.
  func area(of size: PixelSize) -> PixelArea? {
    let columns = CleanAperture.range(width.value, from: across.value, of: size.width)
    let rows = CleanAperture.range(height.value, from: down.value, of: size.height)
    guard !columns.isEmpty, !rows.isEmpty else { return nil }
    return PixelArea(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  private static func range(_ length: Double, from center: Double, of whole: Int) -> Range<Int> {
    let start = (center + (Double(whole) - length) / 2).rounded(.down)
    let bounds = [start, start + length.rounded()].map { Int(min(max($0, 0), Double(whole))) }
    return bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : 0..<0
  }
}
