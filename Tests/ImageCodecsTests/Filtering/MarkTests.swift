import ImageCodecs
import Testing

@Suite("Pixels and marks")
struct MarkTests {
  @Test("Sharpening adds the difference to an exact Gaussian blur")
  func sharpening() throws {
    let image = try Samples.noise(20, 16, .gray8)
    let sharp = try image.sharpened(radius: 1.2, amount: 0.8)

    let weights = (-8...8).map { offset in power(0.7066, offset * offset) }
    let total = weights.reduce(0, +)
    let blurred = { (x: Int, y: Int) -> Double in
      (-8...8).reduce(0.0) { sum, down in
        sum
          + (-8...8).reduce(0.0) { line, across in
            let value = image.bytes[min(max(y + down, 0), 15) * 20 + min(max(x + across, 0), 19)]
            return line + Double(value) * weights[down + 8] * weights[across + 8] / total / total
          }
      }
    }
    for y in 0..<16 {
      for x in 0..<20 {
        let value = Double(image.bytes[y * 20 + x])
        let expected = min(max(value + 0.8 * (value - blurred(x, y)), 0), 255)
        #expect(abs(Double(sharp.bytes[y * 20 + x]) - expected) <= 1.5, "\(x) \(y)")
      }
    }
  }

  /// Of e^(-1 / (2 · 1.2²)), which is 0.7066.
  private func power(_ base: Double, _ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { result, _ in result * base }
  }

  @Test("Invalid squares and marks throw `invalidSetting`, and cancelled work ends")
  func nonsense() throws {
    let image = try Samples.flat(5, 5, [1, 2, 3])
    let attempts: [() throws -> Image] = [
      { try image.pixelated(side: 0) }, { try image.pixelated(side: -3) },
      { try image.watermarked(with: image, at: .init(x: 1.1)) },
      { try image.watermarked(with: image, at: .init(y: .nan)) },
      { try image.watermarked(with: image, at: .init(scale: 0)) },
      { try image.watermarked(with: image, at: .init(scale: 1.01)) },
      { try image.watermarked(with: image, at: .init(margin: -1)) },
      { try image.watermarked(with: image, opacity: 2) },
    ]

    for attempt in attempts {
      let error = #expect(throws: ImageCodecError.self) { try attempt() }
      #expect(error?.kind == "invalidSetting")
    }
    #expect(throws: ImageCodecError.cancelled) { try image.pixelated(side: 2) { true } }
    #expect(try image.pixelated(side: .max) == image)
  }
}
