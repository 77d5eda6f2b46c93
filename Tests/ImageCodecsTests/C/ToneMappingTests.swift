import CCodecs
import Foundation
import Testing

@Suite("Tone mapping and its definition")
struct ToneMappingTests {
  /// Each row is different, and a light of 1 in all colors of the image is not 1 in any color that is shown.
  private static let matrix: [Float] = [1.2, -0.3, 0.05, -0.1, 1.1, 0.07, 0.02, -0.2, 0.9]
  private static let weights: [Float] = [0.3, 0.6, 0.1]

  private static let codes: [UInt16] = {
    var random = SeededRandom(seed: 5)
    let edges: [UInt16] = [
      0, 0, 0, 65_535, 65_535, 65_535, 0, 0, 30_000, 32_767, 32_768, 32_769, 38_055, 38_056, 38_057,
    ]
    // Of all brightnesses, and with each color as the brightest.
    return edges
      + (0..<600).map { (index: Int) in UInt16(truncatingIfNeeded: random.below(100 * (index + 55))) }
  }()

  private static func mapped(
    _ samples: [UInt16], isHLG: Bool, peak: Float, channels: Int, isWide: Bool, matrix: [Float] = matrix,
    weights: [Float] = weights
  ) -> [Int] {
    let mapping = codec_tone_mapping_create(isHLG, peak, matrix, weights, channels, isWide)
    defer { codec_tone_mapping_destroy(mapping) }
    if isWide {
      var pixels = samples
      codec_tone_mapping_apply(mapping, &pixels, samples.count / channels)
      return pixels.map { Int($0) }
    }
    var pixels = samples.map { UInt8($0 >> 8) }
    codec_tone_mapping_apply(mapping, &pixels, samples.count / channels)
    return pixels.map { Int($0) }
  }

  @Test(
    "Each sample is what the formulas of BT.2100 and BT.2390 say, for any peak and layout of pixels",
    arguments: [false, true], [1, 3, 4])
  func model(isHLG: Bool, channels: Int) {
    let samples = Array(Self.codes.prefix(Self.codes.count / channels * channels))
    for peak: Float in [100, 203, 300, 1_000, 10_000, 20_000] {
      for isWide in [true, false] {
        let model = ToneMappingModel(
          isHLG: isHLG, peak: Double(peak), matrix: Self.matrix, weights: Self.weights)

        let found = Self.mapped(samples, isHLG: isHLG, peak: peak, channels: channels, isWide: isWide)

        for start in stride(from: 0, to: samples.count, by: channels) {
          let codes = (0..<3).map { (color: Int) -> Int in
            let code = Int(samples[start + (channels == 1 ? 0 : color)])
            return isWide ? code : (code >> 8) * 257
          }
          let shown = model.shown(codes)
          for channel in 0..<channels {
            let sample = found[start + channel]
            if channel == 3 {
              #expect(sample == (isWide ? Int(samples[start + 3]) : Int(samples[start + 3] >> 8)))
            } else {
              let most: Double = isWide ? 65_535 : 255, tolerance: Double = isWide ? 2 : 0.51
              let isNear = abs(Double(sample) - shown[channel] * most) < tolerance
              #expect(isNear, "\(codes) for \(peak), channel \(channel): \(sample), not \(shown[channel])")
            }
          }
        }
      }
    }
  }

  @Test("The darkest signal above black has its light, and a color of no luminance has none in HLG")
  func edges() {
    let bright = Self.matrix.map { $0 * 1e10 }
    func shown(
      _ codes: [UInt16], _ isHLG: Bool, _ matrix: [Float], weights: [Float] = ToneMappingTests.weights
    ) -> [Int] {
      Self.mapped(
        codes, isHLG: isHLG, peak: 1_000, channels: 3, isWide: true, matrix: matrix, weights: weights)
    }
    #expect(shown([0, 0, 0], false, bright) == [0, 0, 0] && shown([0, 0, 0], true, bright) == [0, 0, 0])
    for isHLG in [false, true] {
      let model = ToneMappingModel(isHLG: isHLG, peak: 1_000, matrix: bright, weights: Self.weights)
      let found = shown([1, 0, 0], isHLG, bright), expected = model.shown([1, 0, 0])
      for color in 0..<3 { #expect(abs(Double(found[color]) - expected[color] * 65_535) < 100, "\(found)") }
    }
    #expect(shown([40_000, 0, 0], true, [1, 0, 0, 0, 1, 0, 0, 0, 1], weights: [0, 1, 0]) == [0, 0, 0])
  }
}

/// Written once more in numbers of double precision, without tables.
private struct ToneMappingModel {
  let isHLG: Bool
  let peak: Double
  let matrix: [Double]
  let weights: [Double]

  init(isHLG: Bool, peak: Double, matrix: [Float], weights: [Float]) {
    self.isHLG = isHLG
    self.peak = isHLG ? 1_000 : min(max(peak, 203), 10_000)
    (self.matrix, self.weights) = (matrix.map { Double($0) }, weights.map { Double($0) })
  }

  private func signal(of light: Double) -> Double {
    let power = pow(light / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  private func light(of signal: Double) -> Double {
    let power = pow(signal, 1 / 78.84375)
    return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  private static func scene(_ signal: Double) -> Double {
    if signal <= 0.5 { return signal * signal / 3 }
    return (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
  }

  /// The spline of BT.2390, in parts of the signal of the peak.
  private func compressed(_ part: Double) -> Double {
    let white = signal(of: 203) / signal(of: peak), knee = 1.5 * white - 0.5
    guard part > knee else { return part }
    let t = (part - knee) / (1 - knee)
    let square: Double = t * t, cube: Double = t * t * t
    let first: Double = (2 * cube - 3 * square + 1) * knee,
      second: Double = (cube - 2 * square + t) * (1 - knee)
    return first + second + (3 * square - 2 * cube) * white
  }

  func shown(_ codes: [Int]) -> [Double] {
    let signals = codes.map { Double($0) / 65_535 }
    var colors = signals.map(light), brightest = signals.max() ?? 0
    if isHLG {
      let scene = signals.map(Self.scene)
      let luminance = scene[0] * weights[0] + scene[1] * weights[1] + scene[2] * weights[2]
      let gain: Double = luminance > 0 ? 1_000 * pow(luminance, 0.2) : 0
      colors = scene.map { gain * $0 }
      brightest = (min(signal(of: colors.max() ?? 0), 1) * 65_535).rounded() / 65_535
    }
    let isBlack = light(of: brightest) <= 0
    let target = compressed(min(brightest / signal(of: peak), 1)) * signal(of: peak)
    let scale: Double = isBlack ? 1 / 203 : light(of: target) / light(of: brightest) / 203
    return (0..<3).map { row in
      var sum = 0.0
      for part in 0..<3 { sum += matrix[row * 3 + part] * colors[part] * scale }
      let kept = min(max(sum, 0), 1)
      return kept <= 0.0031308 ? kept * 12.92 : 1.055 * pow(kept, 1 / 2.4) - 0.055
    }
  }
}
