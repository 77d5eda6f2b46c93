import CCodecs
import Foundation
import Testing

@Suite("Tables of light")
struct LightTests {
  private static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func value(of light: Double) -> Double {
    light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
  }

  @Test("The tables of light have the nearest values of the curve of sRGB, both ways")
  func tables() throws {
    let light = try #require(codec_light_of_srgb()), code = try #require(codec_srgb_of_light())
    var exact = [Double](repeating: -1, count: 256)

    codec_light_table(&exact)

    for byte in 0..<256 {
      let expected = Self.light(of: Double(byte) / 255), sample = (expected * 65_535).rounded()
      #expect(abs(exact[byte] - expected) < 1e-12, "\(byte)")
      #expect(light[byte] == UInt16(sample), "\(byte)")
    }
    var wrong: [Int] = []
    for index in 0...65_535 {
      let expected = Self.value(of: Double(index) / 65_535) * 255
      if code[index] != UInt8(expected.rounded()) { wrong.append(index) }
    }
    #expect(wrong == [])
  }

  #if canImport(Glibc)
    @Test("Either table of light is filled by whoever asks for it first")
    func first() async {
      await #expect(processExitsWith: .success) {
        guard let light = codec_light_of_srgb(), light[255] == 65_535 else { exit(2) }
      }
      await #expect(processExitsWith: .success) {
        guard let code = codec_srgb_of_light(), code[65_535] == 255 else { exit(2) }
      }
    }
  #endif

  @Test(
    "The value closest to an amount of light changes in the middle between two values, and stays in its range"
  )
  func nearest() {
    for byte in 0..<255 {
      let middle = Self.light(of: (Double(byte) + 0.5) / 255), low = middle * 0.999_999,
        high = middle * 1.000_001
      #expect(codec_srgb_of(low) == UInt8(byte) && codec_srgb_of(high) == UInt8(byte + 1))
    }
    let below: [Double] = [-.infinity, -1, -1e-9, 0], above: [Double] = [1, 1.000001, 7, .infinity]
    for light in below { #expect(codec_srgb_of(light) == 0) }
    for light in above { #expect(codec_srgb_of(light) == 255) }
  }

  @Test(
    "A channel becomes a plane of its light and comes back, and alpha is only widened", arguments: [1, 3, 4])
  func planes(channels: Int) {
    let packed = (0..<256 * channels).map { (index: Int) in
      UInt8(truncatingIfNeeded: index * 37 + index / 256)
    }
    for channel in 0..<channels {
      var plane = [UInt16](repeating: 9, count: 257)
      var merged = [UInt8](repeating: 9, count: 256 * channels + 1)

      codec_split_light(packed, 256, channels, channel, &plane)
      codec_merge_light(plane, 256, channels, channel, &merged)

      var expected: [UInt16] = [], again = [UInt8](repeating: 9, count: 256 * channels + 1)
      for pixel in 0..<256 {
        let byte = packed[pixel * channels + channel], light = Self.light(of: Double(byte) / 255) * 65_535
        expected.append(channel == 3 ? UInt16(byte) * 257 : UInt16(light.rounded()))
        again[pixel * channels + channel] = byte
      }
      #expect(plane == expected + [9])
      #expect(merged == again)
    }
  }

  @Test("Samples of alpha are narrowed to the nearest byte")
  func alpha() {
    let samples: [UInt16] = [0, 128, 129, 257, 385, 386, 65_406, 65_407, 65_535]
    var packed = [UInt8](repeating: 7, count: 36)

    codec_merge_light(samples, 9, 4, 3, &packed)

    let expected: [UInt8] = [0, 0, 1, 1, 1, 2, 254, 255, 255]
    let found: [UInt8] = (0..<9).map { packed[$0 * 4 + 3] }
    #expect(found == expected)
  }

  @Test("A recoloring in light rounds to the nearest of 65,536 amounts before it looks for a value")
  func rounding() throws {
    let code = try #require(codec_srgb_of_light())
    for amount in 1...65_535 where code[amount] != code[amount - 1] {
      let parts: [(Float, Int)] = [(Float(amount) - 0.25, amount), (Float(amount) - 0.75, amount - 1)]
      for (part, index) in parts {
        var gray: [UInt8] = [0]
        let matrix: [Float] = [1, 0, 0, part / 65_535]
        codec_apply_matrix(&gray, 1, 1, matrix, true)
        #expect(gray == [code[index]], "\(amount)")
      }
    }
  }

  @Test("Cosines are those of each place, wave and offset")
  func cosines() {
    let cases: [(Int, Int, Double)] = [(1, 0, 0), (7, 1, 0.5), (5, 3, 0.5), (4, 2, 0), (3, 9, -1)]
    for (count, wave, offset) in cases {
      var table = [Double](repeating: 9, count: count + 1)

      codec_cosines(&table, count, wave, offset)

      for index in 0..<count {
        let place: Double = Double(index) + offset, waves: Double = Double(wave) * place
        let angle: Double = .pi * waves / Double(count)
        #expect(abs(table[index] - cos(angle)) < 1e-12, "\(count) \(wave)")
      }
      #expect(table[count] == 9)
    }
  }
}
