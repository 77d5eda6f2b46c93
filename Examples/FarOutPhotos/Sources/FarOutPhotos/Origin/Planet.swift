import Foundation
import StreamImages

/// A ball in the light of a sun to the upper left, with clouds in bands, and rings or none. In pixels.
struct Planet {
  let x: Double
  let y: Double
  let radius: Double
  let hasRings: Bool
  let seed: Int
  let light: [Double]
  let dark: [Double]

  private static let tilt = (cos: cos(-0.35), sin: sin(-0.35))

  func paint(on bytes: UnsafeMutableRawBufferPointer, _ canvas: PixelSize) {
    let reach = radius * (hasRings ? 2.3 : 1.12)
    let rows = max(0, Int(y - reach))..<min(canvas.height, Int(y + reach) + 1)
    let columns = max(0, Int(x - reach))..<min(canvas.width, Int(x + reach) + 1)
    for row in rows {
      let clouds = 0.5 + 0.5 * sin(Double(row) / radius * 9 + Double(seed))
      for column in columns {
        let (u, v) = ((Double(column) - x) / radius, (Double(row) - y) / radius)
        let pixel = (row * canvas.width + column) * 3
        let distance = (u * u + v * v).squareRoot()
        if distance < 1.12 { paintBall(u, v, distance, clouds, bytes, pixel) }
        if hasRings { paintRings(u, v, distance, bytes, pixel) }
      }
    }
  }

  private func paintBall(
    _ u: Double, _ v: Double, _ distance: Double, _ clouds: Double, _ bytes: UnsafeMutableRawBufferPointer,
    _ pixel: Int
  ) {
    // Outside of the ball there is a little air.
    guard distance < 1 else {
      let air = pow(1 - (distance - 1) / 0.12, 3) * max(0, -0.6 * u - 0.6 * v) * 0.6
      return blend(light, air, bytes, pixel)
    }
    let depth = (1 - distance * distance).squareRoot()
    let sun = max(0.02, -0.56 * u - 0.5 * v + 0.66 * depth)
    let swirl = Chance.hills(u / (0.4 + depth) * 2.2 + 20, v * 7 + clouds, seed: seed, octaves: 2)
    let part = min(1, 0.35 * clouds + 0.75 * swirl)
    let brightness: Double = 0.08 + 1.05 * sun
    let color = zip(dark, light).map { (dark: Double, light: Double) -> Double in
      let tint = dark + (light - dark) * part
      return tint * brightness
    }
    blend(color, min(1, (1 - distance) * radius / 1.5), bytes, pixel)
  }

  private func paintRings(
    _ u: Double, _ v: Double, _ distance: Double, _ bytes: UnsafeMutableRawBufferPointer, _ pixel: Int
  ) {
    let along = u * Self.tilt.cos + v * Self.tilt.sin
    let across = (v * Self.tilt.cos - u * Self.tilt.sin) / 0.24
    let far = (along * along + across * across).squareRoot()
    // The half behind the ball is hidden by it.
    guard far > 1.35, far < 2.2, across > 0 || distance > 1 else { return }
    let gap = abs(far - 1.86) < 0.03 ? 0.15 : 1
    let edge = min(1, (far - 1.35) * 12, (2.2 - far) * 12)
    blend(light, (0.35 + 0.3 * sin(far * 42)) * gap * edge + 0.12 * edge, bytes, pixel)
  }

  private func blend(_ color: [Double], _ part: Double, _ bytes: UnsafeMutableRawBufferPointer, _ pixel: Int)
  {
    for channel in 0..<3 {
      let below = Double(bytes[pixel + channel])
      bytes[pixel + channel] = UInt8(clamping: Int(below + (color[channel] - below) * part))
    }
  }
}
