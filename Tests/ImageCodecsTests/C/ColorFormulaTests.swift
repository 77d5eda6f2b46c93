import CCodecs
import ImageCodecs
import Testing

/// Colors beside the formulas that they are to follow, written once more, in numbers of double precision.
@Suite("Color formulas")
struct ColorFormulaTests {
  private let levels: [UInt8] = [0, 1, 63, 64, 100, 127, 128, 191, 200, 254, 255]

  private static let mixtures: [CodecBlendMode: @Sendable (Double, Double) -> Double] = [
    .normal: { $1 }, .multiply: { $0 * $1 }, .screen: { 1 - (1 - $0) * (1 - $1) },
    .overlay: { $0 <= 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) },
    .darken: { min($0, $1) }, .lighten: { max($0, $1) },
    .colorDodge: { $0 == 0 ? 0 : $1 == 1 ? 1 : min(1, $0 / (1 - $1)) },
    .colorBurn: { $0 == 1 ? 1 : $1 == 0 ? 0 : 1 - min(1, (1 - $0) / $1) },
    .hardLight: { $1 <= 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) },
    .softLight: { below, above in
      if above <= 0.5 { return below - (1 - 2 * above) * below * (1 - below) }
      let root = below <= 0.25 ? ((16 * below - 12) * below + 4) * below : below.squareRoot()
      return below + (2 * above - 1) * (root - below)
    },
    .difference: { abs($0 - $1) }, .exclusion: { $0 + $1 - 2 * $0 * $1 },
  ]

  /// What stays of the lower image and of the upper one, by the alpha of both.
  private static let parts: [CodecBlendMode: @Sendable (Double, Double) -> (Double, Double)] = [
    .clear: { _, _ in (0, 0) }, .copy: { _, _ in (0, 1) }, .sourceIn: { below, _ in (0, below) },
    .sourceOut: { below, _ in (0, 1 - below) }, .sourceAtop: { below, above in (1 - above, below) },
    .destinationOver: { below, _ in (1, 1 - below) }, .destinationIn: { _, above in (above, 0) },
    .destinationOut: { _, above in (1 - above, 0) },
    .destinationAtop: { below, above in (above, 1 - below) },
    .exclusiveOr: { below, above in (1 - above, 1 - below) }, .plusLighter: { _, _ in (1, 1) },
  ]

  @Test("Blending follows the formula of each blend mode for all colors and alphas")
  func blending() {
    let alphas: [UInt8] = [0, 1, 128, 254, 255]
    for mode in Array(Self.mixtures.keys) + Self.parts.keys {
      for (under, over) in levels.flatMap({ under in levels.map { (under, $0) } }) {
        for (belowAlpha, aboveAlpha) in alphas.flatMap({ below in alphas.map { (below, $0) } }) {
          let opacity: Float = over > 100 ? 1 : 0.5
          var pixel = [under, over, 255 - under, belowAlpha]
          let above = [over, under, over, aboveAlpha]
          let expected = blended(pixel, above, mode, Double(opacity))

          codec_blend(&pixel, above, 4, 1, mode, opacity)

          let isNear = zip(pixel, expected).allSatisfy { abs(Double($0) - $1) <= 0.6 }
          if !isNear {
            Issue.record(
              "\(mode.rawValue) \(under) \(over) \(belowAlpha) \(aboveAlpha): \(pixel), not \(expected)")
          }
        }
      }
    }
  }

  private func blended(
    _ below: [UInt8], _ above: [UInt8], _ mode: CodecBlendMode, _ opacity: Double
  ) -> [Double] {
    let belowAlpha = Double(below[3]) / 255, aboveAlpha = Double(above[3]) / 255 * opacity
    let (ofBelow, ofAbove) = Self.parts[mode]?(belowAlpha, aboveAlpha) ?? (1 - aboveAlpha, 1)
    let mix = Self.mixtures[mode] ?? { $1 }
    let alpha = min(1, ofBelow * belowAlpha + ofAbove * aboveAlpha)
    let colors = (0..<3).map { channel -> Double in
      let under = Double(below[channel]) / 255, over = Double(above[channel]) / 255
      let color = (1 - belowAlpha) * over + belowAlpha * mix(under, over)
      let sum = min(1, ofBelow * belowAlpha * under + ofAbove * aboveAlpha * color)
      return alpha > 0 ? min(1, sum / alpha) * 255 : 0
    }
    return colors + [alpha * 255]
  }

  @Test("Blending accepts a constant color and pixels with a stride")
  func steps() {
    var below = [UInt8](repeating: 255, count: 12)
    codec_blend(&below, [1, 2, 3, 255], 0, 2, .normal, 1)
    #expect(below == [1, 2, 3, 255, 1, 2, 3, 255, 255, 255, 255, 255])

    codec_blend(&below, [4, 5, 6, 255, 0, 0, 0, 0, 7, 8, 9, 255], 8, 2, .normal, 1)
    #expect(below == [4, 5, 6, 255, 7, 8, 9, 255, 255, 255, 255, 255])
  }

  @Test("Sharpening adds the difference to the blurred pixels in each color channel", arguments: [1, 3, 4])
  func sharpening(channels: Int) {
    let pixels: [UInt8] = [10, 200, 90, 77, 250, 3, 128, 12, 60, 61, 62, 63]
    let blurred: [UInt8] = [20, 190, 90, 1, 240, 9, 100, 2, 80, 50, 62, 99]
    var sharp = pixels

    codec_sharpen(&sharp, blurred, 12 / channels, channels, 1.5)

    for index in 0..<12 {
      let value = Double(pixels[index]) + 1.5 * (Double(pixels[index]) - Double(blurred[index]))
      let isAlpha = channels == 4 && index % 4 == 3
      let expected = isAlpha ? pixels[index] : UInt8(min(255, max(0, value)) + 0.5)
      #expect(sharp[index] == expected, "\(index)")
    }
  }

  @Test(
    "A vignette darkens pixels toward the corners and keeps alpha",
    arguments: [(0.0, 1.0), (0.3, 0.7), (0.9, 0.4), (1, 1)])
  func vignette(start: Double, amount: Double) {
    for (width, height, channels) in [(7, 4, 3), (4, 9, 4), (5, 5, 1)] {
      var pixels = [UInt8](repeating: 201, count: width * height * channels)

      codec_vignette(&pixels, width, height, channels, Float(start), Float(amount))

      for (x, y) in (0..<width).flatMap({ x in (0..<height).map { (x, $0) } }) {
        let across = (Double(x) + 0.5) / Double(width) * 2 - 1,
          down = (Double(y) + 0.5) / Double(height) * 2 - 1
        let distance = ((across * across + down * down) / 2).squareRoot()
        let way = min(1, max(0, (distance - start) / (start < 1 ? 1 - start : 1)))
        let expected = 201 * (1 - amount * way * way * (3 - 2 * way))
        let pixel = pixels[(y * width + x) * channels..<(y * width + x + 1) * channels]
        #expect(pixel.prefix(3).allSatisfy { abs(Double($0) - expected) <= 0.6 }, "\(x) \(y)")
        #expect(channels < 4 || pixel.last == 201)
      }
    }
  }

  @Test("A color matrix mixes channels of encoded and of linear values", arguments: [false, true])
  func matrix(inLight: Bool) {
    let matrix: [Float] = [0.5, 0.3, 0.1, 0.05, -0.2, 0.9, 0.2, 0, 0.1, 0.1, 0.7, -0.02]
    func decoded(_ byte: UInt8) -> Double {
      let value = Double(byte) / 255
      guard inLight else { return value }
      return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    }
    func encoded(_ value: Double) -> Double {
      let value = min(1, max(0, value))
      guard inLight else { return value * 255 }
      return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * power(value, 1 / 2.4) - 0.055)
    }
    for (red, green, blue) in [(0, 0, 0), (255, 255, 255), (1, 100, 200), (250, 3, 90)]
      as [(UInt8, UInt8, UInt8)]
    {
      for channels in [3, 4] {
        var pixels =
          [red, green, blue] + (channels == 4 ? [17] : []) + [blue, red, green] + (channels == 4 ? [18] : [])

        codec_apply_matrix(&pixels, 2, channels, matrix, inLight)

        for (pixel, color) in [[red, green, blue], [blue, red, green]].enumerated() {
          for row in 0..<3 {
            let weights = matrix[(row * 4)..<(row * 4 + 4)].map { Double($0) }
            let value = zip(weights, color).map { $0 * decoded($1) }.reduce(weights[3], +)
            #expect(abs(Double(pixels[pixel * channels + row]) - encoded(value)) <= 0.8)
          }
          if channels == 4 { #expect(pixels[pixel * 4 + 3] == UInt8(17 + pixel)) }
        }
      }
      var gray = [red, green]
      codec_apply_matrix(&gray, 2, 1, matrix, inLight)
      for (byte, original) in zip(gray, [red, green]) {
        #expect(abs(Double(byte) - encoded(0.9 * decoded(original) + 0.05)) <= 0.8)
      }
    }
  }

  @Test("A gamma table maps color channels and leaves alpha unchanged")
  func tables() {
    var table = [UInt8](repeating: 7, count: 256)
    codec_gamma_table(0.5, &table)
    #expect((0..<256).allSatisfy { abs(Double(table[$0]) - (Double($0) / 255).squareRoot() * 255) <= 0.51 })

    for channels in [1, 3, 4] {
      var pixels: [UInt8] = [1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144]
      let before = pixels
      codec_apply_table(&pixels, 12 / channels, channels, table)
      for index in 0..<12 {
        #expect(
          pixels[index] == (channels == 4 && index % 4 == 3 ? before[index] : table[Int(before[index])]))
      }
    }
  }

  @Test("Pixels convert between gray, RGB, RGBA and CMYK layouts")
  func layouts() {
    func converted(to count: Int, _ convert: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
      var result = [UInt8](repeating: 1, count: count)
      convert(&result)
      return result
    }
    #expect(converted(to: 8) { codec_gray_to_rgba([9, 200], 2, $0) } == [9, 9, 9, 255, 200, 200, 200, 255])
    #expect(
      converted(to: 8) { codec_rgb_to_rgba([2, 3, 4, 5, 6, 7], 2, $0) } == [2, 3, 4, 255, 5, 6, 7, 255])
    #expect(converted(to: 6) { codec_rgba_to_rgb([7, 2, 3, 9, 4, 5, 6, 9], 2, $0) } == [7, 2, 3, 4, 5, 6])
    #expect(converted(to: 6) { codec_gray_to_rgb([9, 200], 2, $0) } == [9, 9, 9, 200, 200, 200])
    let mixed: [UInt8] = [100, 0, 255, 255, 100, 0, 200, 51]
    #expect(converted(to: 6) { codec_flatten_over_white(mixed, 2, $0) } == [100, 0, 255, 224, 204, 244])
    let ink: [UInt8] = [255, 0, 100, 255, 255, 0, 100, 128]
    #expect(converted(to: 6) { codec_cmyk_to_rgb(ink, 2, true, $0) } == [255, 0, 100, 128, 0, 50])
    #expect(
      converted(to: 6) { codec_cmyk_to_rgb(ink.map { ~$0 }, 2, false, $0) } == [255, 0, 100, 128, 0, 50])
  }

  @Test("Colors that were multiplied by alpha are divided to the nearest level, and at most to white")
  func divided() {
    for most in [255, 65_535] as [UInt32] {
      for alpha in [1, 2, 3, 100, 254, most - 1, most] {
        for color in [0, 1, alpha / 3, alpha - 1, alpha, min(alpha + 1, most), most] {
          // Half a level is rounded up.
          let exact = (Double(color) * Double(most) / Double(alpha) + 0.5).rounded(.down)
          #expect(Double(codec_divided(color, alpha, most)) == min(exact, Double(most)))
        }
      }
      #expect(codec_divided(7, 0, most) == 7)
    }
  }

  @Test("16-bit samples are narrowed, split into planes and merged again")
  func wide() {
    let samples: [UInt16] = [0, 1, 128, 129, 257, 32_768, 65_406, 65_407, 65_535]
    var bytes = [UInt8](repeating: 0, count: 9)
    codec_narrow(samples, 9, &bytes)
    #expect(bytes == samples.map { UInt8((Double($0) / 257).rounded()) })

    var plane = [UInt16](repeating: 0, count: 3)
    samples.withUnsafeBytes {
      codec_split_wide($0.baseAddress!.assumingMemoryBound(to: UInt8.self), 3, 3, 1, &plane)
    }
    #expect(plane == [1, 257, 65_407])
    var packed = [UInt8](repeating: 0, count: 18)
    codec_merge_wide(plane, 3, 3, 2, &packed)
    let merged = packed.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    #expect(merged == [0, 0, 1, 0, 0, 257, 0, 0, 65_407])
  }
}

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
