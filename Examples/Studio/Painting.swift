import Foundation
package import StreamImages

/// A landscape that a computer paints: a sun over three hills, with smooth edges. Each number is another image, always the
/// same.
package struct Painting: Sendable {
  private let number: Int
  private let width: Int
  private let height: Int

  /// - Parameters:
  ///   - width: In pixels.
  ///   - height: In pixels.
  package init(_ number: Int, width: Int = 240, height: Int = 160) {
    self.number = number
    self.width = width
    self.height = height
  }

  package func image() throws(ImageCodecError) -> Image {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    let colors = [(0.1, 0.55), (0.35, 0.4), (0.5, 0.25)].map { shade(hueShift: $0, brightness: $1) }
    let ridges = (0..<3).map { hill in (0..<width).map { ridge(hill, x: $0) } }
    let sun = shade(hueShift: 0.5, brightness: 1)
    for y in 0..<height {
      let sky = shade(hueShift: 0, brightness: 0.55 + 0.45 * Double(y) / Double(height))
      for x in 0..<width {
        // The nearest hill that covers the whole pixel hides everything behind it.
        let nearest = ridges.lastIndex { Double(y) >= $0[x] }
        var color = nearest.map { colors[$0] } ?? sky.mixed(with: sun, sunlight(x, y))
        for hill in ((nearest ?? -1) + 1)..<3 {
          color = color.mixed(with: colors[hill], Double(y + 1) - ridges[hill][x])
        }
        bytes += color
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// The height at which a hill begins, in rows from above.
  private func ridge(_ hill: Int, x: Int) -> Double {
    let phase = Double(number * 7 + hill * 3)
    let wave = sin(Double(x) / Double(width) * .pi * Double(2 + (number + hill) % 3) + phase)
    return (0.5 + 0.15 * Double(hill) + 0.1 * wave) * Double(height)
  }

  /// How much of a pixel the sun covers, from 0 to 1.
  private func sunlight(_ x: Int, _ y: Int) -> Double {
    let (centerX, centerY) = (width * (1 + number % 5) / 6, height / 4)
    let distance = Double((x - centerX) * (x - centerX) + (y - centerY) * (y - centerY)).squareRoot()
    return Double(height) / 8 - distance + 0.5
  }

  /// A colour of this painting, as three bytes. Steps of the golden ratio keep the hues of neighbours apart.
  private func shade(hueShift: Double, brightness: Double) -> [UInt8] {
    let hue: Double = (Double(number) * 0.618_034 + hueShift).truncatingRemainder(dividingBy: 1)
    let parts: [Double] = [0, 1.0 / 3, 2.0 / 3]
    return parts.map { (part: Double) -> UInt8 in
      let wave: Double = 0.5 + 0.5 * cos(2 * Double.pi * (hue - part))
      return UInt8(255 * brightness * (0.35 + 0.65 * wave))
    }
  }
}

extension [UInt8] {
  /// This color, covered by another one for a share of the pixel.
  fileprivate func mixed(with other: [UInt8], _ share: Double) -> [UInt8] {
    if share <= 0 { return self }
    if share >= 1 { return other }
    return Swift.zip(self, other).map { (own: UInt8, other: UInt8) -> UInt8 in
      UInt8(Double(own) + (Double(other) - Double(own)) * share)
    }
  }
}
