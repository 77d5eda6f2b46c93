import Foundation
import StreamImages

/// A painting of something far out: a nebula, a planet, one with rings, or a galaxy. The same number is the same sky.
struct Sky: Sendable {
  enum Kind: Int, Sendable, CaseIterable {
    case nebula, planet, galaxy, ringedPlanet
  }

  let number: Int
  /// 1 for the whole painting, less for a smaller one of the same.
  let scale: Double

  init(_ number: Int, scale: Double = 1) {
    self.number = number
    self.scale = scale
  }

  var kind: Kind { Kind.allCases[(number * 7 + number / 4) % 4] }
  var fileName: String { "sky-\(number).jpg" }

  var title: String {
    let name = [
      Kind.nebula: "Nebula", .planet: "Planet", .galaxy: "Galaxy", .ringedPlanet: "Rings around planet",
    ][kind]!
    return "\(name) \(number)"
  }

  /// Landscapes, squares and portraits.
  var size: PixelSize {
    let shapes = [(1_800, 1_200), (1_500, 1_500), (1_800, 1_200), (1_200, 1_700), (2_000, 1_100)]
    let shape = shapes[number % shapes.count]
    return PixelSize(width: Int(Double(shape.0) * scale), height: Int(Double(shape.1) * scale))
  }

  func image() throws(ImageCodecError) -> Image {
    var image = try backdrop()
      .resized(
        to: ResizeTarget(width: Double(size.width), height: Double(size.height), crops: true, upscales: true))
    let canvas = size
    try image.withUnsafeMutableBytes { bytes throws(ImageCodecError) in
      paintStars(on: bytes, canvas)
      if let planet = planet(canvas) { planet.paint(on: bytes, canvas) }
    }
    return image
  }

  /// Gas and dust, coarse: enlarging is what makes it soft.
  private func backdrop() throws(ImageCodecError) -> Image {
    let grain = scale < 0.5 ? 6 : 12
    let (width, height) = (size.width / grain, size.height / grain)
    let colors = palette
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = (
          Double(x) / Double(width) - 0.5, Double(y) / Double(width) - 0.5 * Double(height) / Double(width)
        )
        let (first, second) = gas(u, v)
        for channel in 0..<3 {
          let light =
            7 + 4 * Double(channel) + colors.first[channel] * first + colors.second[channel] * second
          bytes.append(UInt8(clamping: Int(light)))
        }
      }
    }
    return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
  }

  /// How much there is of both colours, from 0 to 1 and a little more.
  private func gas(_ u: Double, _ v: Double) -> (Double, Double) {
    let warp = Chance.hills(u * 4 + 9, v * 4, seed: number &* 31, octaves: 2) - 0.5
    let thick = Chance.hills(u * 5 + warp * 2, v * 5 - warp, seed: number &* 17)
    let dark = Chance.hills(u * 3 + 5, v * 3 + 8, seed: number &* 13, octaves: 3)
    switch kind {
    case .nebula:
      let core = exp(-6 * (u * u + v * v))
      return (max(0, thick - 0.28) * (0.9 + core) * 1.6, max(0, dark - 0.4) * (0.5 + 2.2 * core))
    case .planet, .ringedPlanet: return (max(0, thick - 0.42) * 0.7, max(0, dark - 0.45) * 0.5)
    case .galaxy:
      let tilt = Double(number % 7) * 0.4
      let (x, y) = (u * cos(tilt) + v * sin(tilt), (v * cos(tilt) - u * sin(tilt)) * 1.9)
      let radius = (x * x + y * y).squareRoot() + 0.0001
      let arms = 0.5 + 0.5 * cos(2 * (atan2(y, x) - 3.2 * log(radius + 0.02)) + 2 * warp)
      let disk = exp(-5.5 * radius)
      return (
        disk * (0.25 + arms * arms * 1.2) * (0.5 + thick), exp(-16 * radius) * 1.5 + max(0, dark - 0.5) * 0.2
      )
    }
  }

  private func paintStars(on bytes: UnsafeMutableRawBufferPointer, _ canvas: PixelSize) {
    var chance = Chance(seed: UInt64(number))
    for _ in 0..<Int(Double(canvas.width * canvas.height) / 5_200 / (scale * scale)) {
      let (x, y) = (Int(chance.next() * Double(canvas.width)), Int(chance.next() * Double(canvas.height)))
      let brightness = pow(chance.next(), 7)
      let warmth = chance.next()
      let radius = max(0.6, (1.2 + brightness * 5) * scale)
      let reach = Int((radius * 2).rounded(.up))
      for dy in -reach...reach {
        for dx in -reach...reach
        where (0..<canvas.width).contains(x + dx) && (0..<canvas.height).contains(y + dy) {
          let light = (70 + 185 * brightness) * exp(-Double(dx * dx + dy * dy) / (radius * radius) * 2.4)
          let pixel = ((y + dy) * canvas.width + x + dx) * 3
          for (channel, tint) in [0.8 + 0.2 * warmth, 0.9, 1 - 0.25 * warmth].enumerated() {
            bytes[pixel + channel] = UInt8(clamping: Int(Double(bytes[pixel + channel]) + light * tint))
          }
        }
      }
    }
  }

  private func planet(_ canvas: PixelSize) -> Planet? {
    guard kind == .planet || kind == .ringedPlanet else { return nil }
    var chance = Chance(seed: UInt64(number &* 5))
    let side = Double(min(canvas.width, canvas.height))
    return Planet(
      x: Double(canvas.width) * (0.4 + 0.2 * chance.next()),
      y: Double(canvas.height) * (0.42 + 0.16 * chance.next()),
      radius: side * (kind == .planet ? 0.22 + 0.12 * chance.next() : 0.18), hasRings: kind == .ringedPlanet,
      seed: number, light: Self.color(hue: hue + 0.08, strength: 235),
      dark: Self.color(hue: hue + 0.2, strength: 150))
  }

  /// Steps of the golden ratio keep the colours of neighbours apart.
  private var hue: Double { (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1) }

  private var palette: (first: [Double], second: [Double]) {
    (Self.color(hue: hue, strength: 250), Self.color(hue: hue + 0.3, strength: 330))
  }

  private static func color(hue: Double, strength: Double) -> [Double] {
    let parts = [0.0, 1.0 / 3, 2.0 / 3]
    return parts.map { (part: Double) -> Double in
      let wave: Double = cos(2 * .pi * (hue - part))
      return strength * (0.42 + 0.58 * (0.5 + 0.5 * wave))
    }
  }
}
