import Foundation
import ImageCodecs
import Testing

@Suite("`Image.blurred` and its definition")
struct BlurModelTests {
  /// More and fewer pixels than the sixteen lines that are filtered side by side.
  private static let sizes = [
    (1, 1), (1, 7), (9, 1), (2, 3), (15, 4), (16, 16), (17, 5), (5, 17), (33, 18), (3, 47),
  ]

  @Test(
    "A blurred image is what plain loops compute",
    arguments: [Image.PixelFormat.gray8, .rgb8, .rgba8], Image.Light.allCases)
  func model(_ pixelFormat: Image.PixelFormat, _ light: Image.Light) throws {
    for (width, height) in Self.sizes {
      let image = try Samples.noise(width, height, pixelFormat)
      for radius in [0.3, 0.8, 1.9, 2, 2.3, 3.5, 9] {
        let expected = BlurModel(image, radius: radius, light: light).bytes

        let found = try image.blurred(radius: radius, in: light).bytes

        let differences = zip(found, expected).map { abs(Double($0) - $1) }
        #expect(differences.max()! < 1.1, "\(width)x\(height), radius \(radius)")
      }
    }
  }

  @Test("A blurred image of 16 bits a channel is that of its 8 bits", arguments: Image.Light.allCases)
  func wide(_ light: Image.Light) throws {
    for pixelFormat: Image.PixelFormat in [.gray8, .rgb8, .rgba8] {
      let image = try Samples.noise(17, 5, pixelFormat)

      #expect(try image.widened().blurred(radius: 3, in: light) == image.blurred(radius: 3, in: light))
    }
  }
}

/// Blurs in plain loops of `Double`.
private struct BlurModel {
  let image: Image
  let radius: Double
  let light: Image.Light

  init(_ image: Image, radius: Double, light: Image.Light) {
    (self.image, self.radius, self.light) = (image, radius, light)
  }

  /// Up to 255, not rounded.
  var bytes: [Double] {
    let channels = image.pixelFormat.channelCount, bytes = image.bytes
    let planes = (0..<channels).map { channel in
      blurred(
        stride(from: 0, to: bytes.count, by: channels).map { start in
          if channel == 3 { return Double(bytes[start + 3]) / 255 }
          let weight = channels == 4 ? Double(bytes[start + 3]) / 255 : 1
          return decoded(Double(bytes[start + channel]) / 255) * weight
        })
    }
    return (0..<image.width * image.height).flatMap { place in
      (0..<channels).map { channel in
        let value = planes[channel][place]
        if channel == 3 { return value * 255 }
        return encoded(channels == 4 ? value / planes[3][place] : value) * 255
      }
    }
  }

  private func decoded(_ value: Double) -> Double {
    guard light == .linear else { return value }
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private func encoded(_ value: Double) -> Double {
    guard light == .linear else { return value }
    return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
  }

  private func blurred(_ plane: [Double]) -> [Double] {
    let (width, height) = (image.width, image.height)
    let rows = (0..<height).map { y in filtered(Array(plane[y * width..<(y + 1) * width])) }
    let columns = (0..<width).map { x in filtered(rows.map { $0[x] }) }
    return (0..<height).flatMap { y in columns.map { $0[y] } }
  }

  /// Repeats the ends of the line in each pass.
  private func filtered(_ line: [Double]) -> [Double] {
    let weights = radius < 2 ? curve : box, total = weights.reduce(0, +)
    return (0..<(radius < 2 ? 1 : 3)).reduce(line) { line, _ in
      line.indices.map { place in
        weights.indices.reduce(0) { sum, index in
          let other = place + index - weights.count / 2
          return sum + weights[index] / total * line[min(max(other, 0), line.count - 1)]
        }
      }
    }
  }

  private var curve: [Double] { (-8...8).map { exp(-Double($0 * $0) / (2 * radius * radius)) } }

  /// The most whole samples whose variance is not above a third of the curve's, and a fraction of one more at
  /// either end, so that it is a third.
  private var box: [Double] {
    let variance = radius * radius / 3
    let reach: Int = (0...).first { (reach: Int) -> Bool in Double((reach + 1) * (reach + 2)) / 3 > variance
    }!
    let count = Double(2 * reach + 1), end = Double((reach + 1) * (reach + 1))
    let fraction = (variance * count - count * Double(reach * (reach + 1)) / 3) / (2 * (end - variance))
    return [fraction] + [Double](repeating: 1, count: 2 * reach + 1) + [fraction]
  }
}
