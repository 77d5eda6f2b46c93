import Foundation
import ImageCodecs
import Testing

@Suite("TIFF samples, to the last bit")
struct TIFFSampleTests {
  /// Samples from 0 to 65,535, whatever the depth of the image.
  private func check(_ file: TIFFFile, _ expected: [UInt16], _ name: String) throws {
    for keepsDepth in [false, true] {
      let image = try ImageDecoder.decode(file.bytes, options: DecodingOptions(keepsDepth: keepsDepth))
      if image.pixelFormat.bitsPerChannel == 16 {
        let wrong = expected.indices.filter { image.samples[$0] != expected[$0] }
        #expect(
          keepsDepth && wrong.isEmpty && image.samples.count == expected.count, "\(name): \(wrong.prefix(3))")
      } else {
        let narrow = expected.map { UInt8((Double($0) / 257).rounded()) }
        let wrong = expected.indices.filter { image.bytes[$0] != narrow[$0] }
        #expect(wrong.isEmpty && image.bytes.count == narrow.count, "\(name), narrow: \(wrong.prefix(3))")
      }
    }
  }

  private static func sample(_ value: Double) -> UInt16 {
    value >= 1 ? 65_535 : value > 0 ? UInt16(value * 65_535 + 0.5) : 0
  }

  @Test("All numbers of half precision have their light: none below zero, and all of it from one on")
  func halves() throws {
    var file = TIFFFile(width: 256, height: 256, bits: 16)
    file.value = { x, y, _ in Double(y * 256 + x) / 65_535 }
    var bytes = file.bytes
    let format = try #require(bytes.positions(of: [0x53, 1, 3, 0, 1, 0, 0, 0, 1, 0]).first)
    bytes[format + 8] = 3

    let image = try ImageDecoder.decode(bytes, options: DecodingOptions(keepsDepth: true))

    let expected = (0...65_535).map { bits -> UInt16 in
      let exponent = bits >> 10 & 31, fraction = Double(bits & 1_023)
      if bits >= 0x8000 { return 0 }
      if exponent == 31 { return fraction == 0 ? 65_535 : 0 }
      if exponent == 0 { return Self.sample(fraction / 16_777_216) }
      return Self.sample((1 + fraction / 1_024) * pow(2, Double(exponent - 15)))
    }
    #expect(image.pixelFormat == .gray16 && image.samples == expected)
  }

  @Test(
    "Numbers of single and double precision have their light, and what is no number is black",
    arguments: [32, 64])
  func floats(bits: Int) throws {
    let values: [Double] = [
      0, -0.0, 1, 1 - 1e-7, 1 + 1e-7, 1.5, -1, .infinity, -.infinity, .nan, 0.49 / 65_535, 0.51 / 65_535,
      1.49 / 65_535,
      0.5, 1e-30, 65_534.49 / 65_535, 65_534.51 / 65_535,
    ]
    var file = TIFFFile(width: values.count, height: 1, bits: bits, format: .float)
    file.value = { x, _, _ in values[x] }

    try check(file, values.map(Self.sample), "\(bits)")
  }

  /// Random numbers, and the smallest and largest ones.
  private static func numbers(_ count: Int, bits: Int, seed: UInt64) -> [UInt64] {
    var random = SeededRandom(seed: seed)
    let most = UInt64.max >> UInt64(64 - bits)
    let edges: [UInt64] = [0, 1, most, most - 1, most / 2]
    return (0..<count).map { index -> UInt64 in index < edges.count ? edges[index] : random.next() & most }
  }

  private static func scaled(_ number: UInt64, _ bits: Int) -> UInt16 {
    if bits == 64 { return scaled(number >> 32, 32) }
    let most = UInt64.max >> UInt64(64 - bits)
    return UInt16((number * 65_535 + most / 2) / most)
  }

  @Test("Integers of every depth are scaled to the nearest sample", arguments: [1, 2, 4, 8, 12, 16, 24, 32])
  func integers(bits: Int) throws {
    let numbers = Self.numbers(99, bits: bits, seed: 3)
    for (colors, samples) in [(0, 1), (1, 1), (2, 3)] {
      for isInPlanes in [false, true] {
        var file = TIFFFile(
          width: 11, height: 99 / 11 / samples, colors: colors, colorSamples: samples, bits: bits)
        let most = file.most
        file.isInPlanes = isInPlanes
        file.value = { x, y, sample in Double(numbers[(y * 11 + x) * samples + sample]) / most }
        let expected = numbers.map { Self.scaled($0, bits) }

        try check(
          file, colors == 0 ? expected.map { 65_535 - $0 } : expected, "\(bits) \(colors) \(isInPlanes)")
      }
    }
  }

  @Test(
    "Alpha is kept, and colors that are multiplied by it are divided to the nearest sample",
    arguments: [8, 16])
  func alpha(bits: Int) throws {
    let alphas: [UInt64] = bits == 8 ? [0, 1, 2, 100, 254, 255, 77] : [0, 1, 2, 3, 30_000, 65_534, 65_535]
    let numbers = Self.numbers(7 * 9 * 4, bits: bits, seed: 5).enumerated().map { index, number -> UInt64 in
      let alpha: UInt64 = alphas[index / 4 % 7]
      // Some colors are more than their alpha allows.
      return index % 4 == 3 ? alpha : index % 5 == 0 ? number : number % (alpha + 1)
    }
    for kind in [1, 2] {
      var file = TIFFFile(width: 7, height: 9, colors: 2, colorSamples: 3, bits: bits)
      let most = file.most
      file.extras = [kind]
      file.value = { x, y, sample in Double(numbers[(y * 7 + x) * 4 + sample]) / most }
      let stored = numbers.map { UInt32(Self.scaled($0, bits)) }
      let expected = stored.indices.map { index -> UInt16 in
        let alpha = stored[index | 3]
        if kind == 2 || index % 4 == 3 || alpha == 0 { return UInt16(stored[index]) }
        let divided: UInt32 = (stored[index] * 65_535 + alpha / 2) / alpha
        return UInt16(min(divided, 65_535))
      }

      try check(file, expected, "\(bits) \(kind)")
    }
  }

  @Test("The profile of gray applies to gray with alpha", arguments: [0, 1])
  func grayProfile(colors: Int) throws {
    var file = TIFFFile(colors: colors)
    (file.extras, file.profile) = ([2], Profiles.linearGray)
    let image = try ImageDecoder.decode(file.bytes, options: .asStored)
    file.profile = []
    let plain = try ImageDecoder.decode(file.bytes)

    #expect(image.pixelFormat == .rgba8 && image.colorSpace == .sRGB && plain.colorSpace == .untagged)
    for (index, (old, new)) in zip(plain.bytes, image.bytes).enumerated() {
      #expect(index % 4 == 3 ? old == new : Profiles.isLight(new, of: old))
    }
  }

  @Test("A palette has levels of 16 bits, or of 8 if none of them is larger")
  func palettes() throws {
    for (bits, factor) in [(1, 255), (4, 17), (8, 1), (1, 65_535), (4, 4_000), (8, 256)] {
      let count = 1 << bits
      var file = TIFFFile(width: 16, height: 16, colors: 3, bits: bits)
      file.palette = (0..<count).map { (index: Int) -> [Int] in
        [index * factor, (count - 1 - index) * factor, index / 2 * factor]
      }
      let indices = Self.numbers(256, bits: bits, seed: 7), most = file.most
      file.value = { x, y, _ in Double(indices[y * 16 + x]) / most }
      let isNarrow = (count - 1) * factor < 256

      let scale = isNarrow ? 257 : 1
      let expected = indices.flatMap { index -> [UInt16] in
        file.palette[Int(index)].map { UInt16($0 * scale) }
      }

      try check(file, expected, "\(bits) \(factor)")
    }
  }
}
