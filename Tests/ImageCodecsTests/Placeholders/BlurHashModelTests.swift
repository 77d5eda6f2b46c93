import Foundation
import ImageCodecs
import Testing

@Suite("`BlurHash` beside a plain model")
struct BlurHashModelTests {
  /// Half black and half white, which has the largest wave.
  private func edge() throws -> Image {
    try Image(
      bytes: (0..<8).flatMap { _ in [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 255, count: 12) },
      width: 8, height: 8, pixelFormat: .rgb8)
  }

  @Test("An image of any size has the hash of the model, with any number of waves")
  func encoding() throws {
    var images = [
      try edge(), try edge().turned(degrees: 90), try Samples.flat(7, 5, [9, 90, 200]),
      try Samples.flat(1, 1, [0, 0, 0]),
    ]
    for (width, height) in [(1, 9), (9, 1), (12, 7), (7, 12), (100, 2)] {
      images += [try Samples.picture(width, height, .rgb8), try Samples.noise(width, height, .rgb8)]
    }
    for (index, image) in images.enumerated() {
      for (columns, rows) in [(1, 1), (1, 9), (9, 1), (2, 3), (4, 3)] {
        let hash = try BlurHash(encoding: image, columns: columns, rows: rows)
        #expect(
          hash.description == BlurHashModel.encoded(image, columns, rows), "\(index): \(columns) × \(rows)")
      }
    }
    #expect(try BlurHash(encoding: images[0]).columns == 4 && BlurHash(encoding: images[0]).rows == 3)
    #expect(try BlurHash(encoding: images[0]).description.dropFirst().first == "~")
  }

  @Test("A hash is drawn with the pixels of the model, at any size and contrast")
  func decoding() throws {
    var random = SeededRandom(seed: 8)
    for (columns, rows) in [(1, 1), (9, 9), (1, 4), (5, 1), (4, 3)] {
      let waves = (1..<max(columns * rows, 1)).map { _ in BlurHashModel.text(random.below(6_859), 2) }
      let head = BlurHashModel.text(columns - 1 + (rows - 1) * 9, 1) + BlurHashModel.text(random.below(20), 1)
      let text = head + BlurHashModel.text(random.below(1 << 24), 4) + waves.joined()
      let hash = try BlurHash(text)
      #expect(hash.columns == columns && hash.rows == rows && hash.description == text)
      for (width, height, punch) in [(1, 1, 1.0), (7, 4, 1), (4, 7, 0.5), (13, 11, 2), (5, 5, 0)] {
        let image = try hash.image(width: width, height: height, punch: punch)
        let model = BlurHashModel.drawn(text, width, height, punch: punch)
        #expect(image.size == PixelSize(width: width, height: height) && image.bytes.count == model.count)
        #expect(
          zip(image.bytes, model).allSatisfy { abs(Double($0) - $1) < 0.51 }, "\(text): \(width) × \(height)")
      }
    }
  }

  private func error(_ text: String) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = try BlurHash(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("Each number of a hash has a greatest value, and a hash has the length of its waves")
  func bounds() throws {
    let (size, color, wave) = (
      BlurHashModel.text(1, 1), BlurHashModel.text(0xFF_FFFF, 4), BlurHashModel.text(6_858, 2)
    )
    let valid = size + "~" + color + wave
    #expect(error(valid) == nil && error("~" + valid.dropFirst()) == .corrupt("the size of a placeholder"))
    #expect(
      error(valid + "0") == .corrupt("the length of a placeholder")
        && error(String(valid.dropLast())) == .truncated)
    for count in 0..<6 { #expect(error(String(repeating: "0", count: count)) == .truncated) }
    #expect(error("000000") == nil && error("0000000") == .corrupt("the length of a placeholder"))
    #expect(
      error(size + "0" + BlurHashModel.text(0x100_0000, 4) + wave) == .corrupt("the color of a placeholder"))
    #expect(error(size + "0" + color + BlurHashModel.text(6_859, 2)) == .corrupt("a wave of a placeholder"))
    let all = String(repeating: "00", count: 80)
    #expect(error(BlurHashModel.text(80, 1) + "00000" + all) == nil)
    #expect(error(BlurHashModel.text(81, 1) + "00000" + all) == .corrupt("the size of a placeholder"))
    #expect(
      error(BlurHashModel.text(80, 1) + "00000" + String(all.dropLast(2)) + BlurHashModel.text(6_859, 2))
        == .corrupt("a wave of a placeholder"))
    for text in ["0000\"0", "00000é", "00000\u{10FFFF}", "00000 "] {
      #expect(error(text) == .corrupt("a character of a placeholder"))
    }
    // What is behind 200 characters is not looked at.
    #expect(
      error("000000" + String(repeating: "0", count: 194) + "é") == .corrupt("the length of a placeholder"))
    #expect(
      error("000000" + String(repeating: "0", count: 193) + "é") == .corrupt("a character of a placeholder"))
  }

  @Test("Sides are from 1 to 256 pixels, waves from 1 to 9, and the contrast is not negative")
  func settings() throws {
    let hash = try BlurHash("00DJIi")
    for (width, height) in [(0, 1), (1, 0), (257, 1), (1, 257)] {
      #expect(throws: ImageCodecError.invalidSize("a placeholder of \(width) × \(height) pixels")) {
        try hash.image(width: width, height: height)
      }
    }
    for (width, height) in [(256, 1), (1, 256)] {
      #expect(try hash.image(width: width, height: height).width == width)
    }
    for punch in [-0.1, .nan, .infinity] {
      #expect(throws: ImageCodecError.self) { try hash.image(width: 1, height: 1, punch: punch) }
    }
    let image = try Samples.flat(2, 2, [1, 2, 3])
    for (columns, rows) in [(0, 1), (1, 0), (10, 1), (1, 10)] {
      #expect(throws: ImageCodecError.invalidSetting("a placeholder of \(columns) × \(rows) waves")) {
        try BlurHash(encoding: image, columns: columns, rows: rows)
      }
    }
    #expect(try hash == BlurHash("00DJIi") && hash != BlurHash("00DJIj"))
    #expect(hash.averageColor == (try hash.image(width: 1, height: 1).pixel(x: 0, y: 0)))
  }
}
