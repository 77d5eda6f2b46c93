import Foundation
import ImageCodecs
import Testing

@Suite("`ThumbHash` beside a plain model")
struct ThumbHashModelTests {
  private static let sizes = [
    (1, 1), (1, 7), (7, 1), (5, 5), (9, 4), (4, 9), (31, 30), (3, 100), (100, 3), (13, 12),
  ]

  @Test("An image of any proportions has the hash of the model", arguments: sizes)
  func encoding(width: Int, height: Int) throws {
    for format in [Image.PixelFormat.rgb8, .rgba8, .gray8] {
      // Without symmetries, in which waves vanish but for the last bits.
      let image = try Samples.noise(width, height, format)
      #expect(
        try ThumbHash(encoding: image).bytes == ThumbHashModel.encoded(image),
        "\(width) × \(height) \(format)")
    }
    for color: [UInt8] in [
      [200, 100, 50], [0, 0, 0], [255, 255, 255], [10, 20, 30, 255], [10, 20, 30, 254], [10, 20, 30, 0],
    ] {
      let image = try Samples.flat(width, height, color)
      #expect(
        try ThumbHash(encoding: image).bytes == ThumbHashModel.encoded(image), "\(width) × \(height) \(color)"
      )
    }
  }

  /// A hash with these proportions, whose other bits are random.
  private func bytes(_ shorter: Int, isWide: Bool, hasAlpha: Bool, _ random: inout SeededRandom) -> [UInt8] {
    var bytes = (0..<40).map { _ in random.byte() }
    bytes[2] = bytes[2] & 0x7F | (hasAlpha ? 0x80 : 0)
    bytes[3] = bytes[3] & 0xF8 | UInt8(shorter)
    bytes[4] = bytes[4] & 0x7F | (isWide ? 0x80 : 0)
    return bytes
  }

  @Test(
    "A hash of any proportions has the bytes, the text and the pixels of the model", arguments: 1...7,
    [false, true])
  func decoding(shorter: Int, isWide: Bool) throws {
    var random = SeededRandom(seed: UInt64(shorter))
    for hasAlpha in [false, true] {
      let longer = hasAlpha ? 5 : 7
      let (columns, rows) = isWide ? (longer, shorter) : (shorter, longer)
      let nibbles = ThumbHashModel.positions(max(3, columns), max(3, rows)).count + 10 + (hasAlpha ? 14 : 0)
      let count = (hasAlpha ? 6 : 5) + (nibbles + 1) / 2
      let bytes = bytes(shorter, isWide: isWide, hasAlpha: hasAlpha, &random)
      let hash = try ThumbHash(bytes)

      #expect(hash.bytes == Array(bytes.prefix(count)) && hash.hasAlpha == hasAlpha)
      #expect(hash.aspectRatio == Double(columns) / Double(rows))
      #expect(hash.description == Data(hash.bytes).base64EncodedString())
      #expect(try ThumbHash(hash.description) == hash)
      #expect(try ThumbHash(hash.bytes) == hash)
      #expect(throws: ImageCodecError.truncated) { try ThumbHash(hash.bytes.dropLast()) }
      #expect(hash != (try ThumbHash([hash.bytes[0] ^ 1] + hash.bytes.dropFirst())))
      for side in [1, 2, 17, 32] {
        let image = try hash.image(side: side)
        let ratio = Double(columns) / Double(rows)
        let width = ratio > 1 ? side : max(1, Int((Double(side) * ratio).rounded()))
        let height = ratio > 1 ? max(1, Int((Double(side) / ratio).rounded())) : side
        try #require(image.size == PixelSize(width: width, height: height))
        #expect(image.pixelFormat == (hasAlpha ? .rgba8 : .rgb8))
        let model = ThumbHashModel.drawn(hash.bytes, width, height).enumerated()
          .filter { hasAlpha || $0.offset % 4 < 3 }.map(\.element)
        // Rounded down, but for the last bit of a cosine.
        let isEqual = zip(image.bytes, model).allSatisfy { (found: UInt8, value: Double) -> Bool in
          let (most, least) = ((value + 1e-6).rounded(.down), max(value - 1e-6, 0).rounded(.down))
          return found == UInt8(most) || found == UInt8(least)
        }
        #expect(isEqual && image.bytes.count == model.count, "\(columns) × \(rows) of \(side) pixels")
      }
    }
  }

  @Test("The average color is rounded, and has the alpha of the hash")
  func averages() throws {
    // Brightness, yellow against blue, red against green, and opacity.
    for (luma, yellow, red, alpha) in [(20, 40, 30, 15), (63, 31, 32, 7), (0, 0, 63, 0), (40, 63, 0, 9)] {
      let bits = luma | yellow << 6 | red << 12 | 1 << 23
      let hash = try ThumbHash(
        little(bits, count: 3) + [0x05, 0, UInt8(alpha)] + [UInt8](repeating: 0x77, count: 40))
      let light = Double(luma) / 63
      let blue = light - (Double(yellow) / 31.5 - 1) * 2 / 3
      let difference = Double(red) / 31.5 - 1
      let first = (3 * light - blue + difference) / 2
      let expected = [first, first - difference, blue, Double(alpha) / 15].map {
        UInt8((min(max($0, 0), 1) * 255).rounded())
      }
      let found = hash.averageColor
      #expect([found.red, found.green, found.blue, found.alpha] == expected, "\(luma) \(yellow) \(red)")
    }
  }

  @Test("A text is read up to 88 characters, and a sequence up to 64 bytes")
  func lengths() throws {
    var random = SeededRandom(seed: 4)
    let bytes = bytes(7, isWide: false, hasAlpha: false, &random)
    let text = Data(bytes).base64EncodedString().filter { $0 != "=" }
    let hash = try ThumbHash(bytes)

    #expect(try ThumbHash(text + String(repeating: "A", count: 88 - text.count) + "?") == hash)
    #expect(throws: ImageCodecError.corrupt("a character of a placeholder")) {
      try ThumbHash(text + String(repeating: "A", count: 87 - text.count) + "?")
    }
    #expect(try ThumbHash("=" + text) == hash)
    #expect(throws: ImageCodecError.truncated) { try ThumbHash("") }
    for count in 0..<5 {
      #expect(throws: ImageCodecError.truncated) { try ThumbHash([UInt8](repeating: 1, count: count)) }
    }
    #expect(throws: ImageCodecError.corrupt("a placeholder without a size")) {
      try ThumbHash([1, 1, 1, 0, 1])
    }
    #expect(throws: ImageCodecError.truncated) { try ThumbHash([1, 1, 1, 1, 1]) }
    #expect(
      try hash.image(side: 256).height == 256 && hash.image(side: 1).size == PixelSize(width: 1, height: 1))
    for side in [0, 257] {
      #expect(throws: ImageCodecError.invalidSize("a placeholder of \(side) pixels")) {
        try hash.image(side: side)
      }
    }
  }
}
