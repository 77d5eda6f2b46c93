import Foundation
package import StreamImages

/// A landscape that a computer paints: a sun over three hills. The same number is the same picture, and no two numbers
/// are alike.
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
        let hill = ridges.lastIndex { y >= $0[x] }
        bytes += hill.map { colors[$0] } ?? (isInSun(x, y) ? sun : sky)
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// The row where a hill begins.
  private func ridge(_ hill: Int, x: Int) -> Int {
    let phase = Double(number * 7 + hill * 3)
    let wave = sin(Double(x) / Double(width) * .pi * Double(2 + (number + hill) % 3) + phase)
    return Int((0.5 + 0.15 * Double(hill) + 0.1 * wave) * Double(height))
  }

  private func isInSun(_ x: Int, _ y: Int) -> Bool {
    let (centerX, centerY) = (width * (1 + number % 5) / 6, height / 4)
    return (x - centerX) * (x - centerX) + (y - centerY) * (y - centerY) < height * height / 64
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
