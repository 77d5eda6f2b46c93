import ImageCodecs
import Testing

@Suite("Padding and trimming")
struct ExtentTests {
  private let red = Image.Pixel(red: 200, green: 30, blue: 60)

  @Test("A background shows where an image is transparent, by its alpha")
  func background() throws {
    let image = try Samples.noise(8, 8, .rgba8)

    let flat = try image.flattened(over: red)

    #expect(flat.pixelFormat == .rgb8)
    for (pixel, start) in zip(stride(from: 0, to: 256, by: 4), stride(from: 0, to: 192, by: 3)) {
      let alpha = Double(image.bytes[pixel + 3]) / 255
      for (channel, color) in [red.red, red.green, red.blue].enumerated() {
        let expected = Double(image.bytes[pixel + channel]) * alpha + Double(color) * (1 - alpha)
        #expect(abs(Double(flat.bytes[start + channel]) - expected) <= 1)
      }
    }
    let opaque = try Samples.noise(3, 3, .rgb8)
    #expect(try opaque.flattened(over: red) == opaque)
    #expect(try image.flattened(over: .clear).pixelFormat == .rgba8)
  }

  @Test("Invalid edges and tolerances throw typed errors, and a result beyond the limits does")
  func nonsense() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    let attempts: [() throws -> Image] = [
      { try image.padded(top: -1, color: .clear) }, { try image.padded(right: .max, color: .clear) },
      { try image.padded(top: 1 << 20, left: 1 << 20, color: .clear) },
      { try image.trimmed(tolerance: -0.1) },
      { try image.trimmed(tolerance: .nan) }, { try image.trimmed(tolerance: 1.1) },
    ]

    let kinds = attempts.map { attempt in (#expect(throws: ImageCodecError.self) { try attempt() })?.kind }

    #expect(
      kinds == [
        "invalidSize", "invalidSize", "tooLarge", "invalidSetting", "invalidSetting", "invalidSetting",
      ])
  }
}
