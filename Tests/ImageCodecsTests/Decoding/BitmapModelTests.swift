import ImageCodecs
import Testing

/// Bitmaps and icons that are put together here, bit by bit, and what must come out of them.
@Suite("Bitmaps of every depth")
struct BitmapModelTests {
  /// The pixels of a bitmap, each a number of `bits` bits, and the colors that they stand for.
  private struct Bitmap {
    var width: Int
    var height: Int
    var bits: Int
    var numbers: [UInt32]
    var palette: [[UInt8]]
    var isTopDown = false
    /// The bits of red, green, blue and alpha.
    var masks: [UInt32] = []

    init(_ width: Int, _ height: Int, bits: Int, seed: UInt64 = 1) {
      var random = SeededRandom(seed: seed)
      (self.width, self.height, self.bits) = (width, height, bits)
      numbers = (0..<width * height).map { _ in
        UInt32(truncatingIfNeeded: random.next()) & UInt32((1 << bits) - 1)
      }
      palette = bits > 8 ? [] : (0..<1 << bits).map { _ in [random.byte(), random.byte(), random.byte()] }
    }

    /// From the bottom, in rows of whole groups of four bytes.
    func rows(_ numbers: [UInt32], bits: Int) -> [UInt8] {
      (0..<height).flatMap { row -> [UInt8] in
        let y = isTopDown ? row : height - 1 - row
        var bytes = [UInt8](repeating: 0, count: (width * bits + 31) / 32 * 4)
        for x in 0..<width {
          let number = numbers[y * width + x]
          for bit in 0..<bits {
            // The first pixel is in the highest bits of a byte; those of several bytes begin with the lowest.
            let place = bits < 8 ? x * bits + bits - 1 - bit : x * bits + bit
            let shift = bits < 8 ? 7 - place % 8 : place % 8
            bytes[place / 8] |= UInt8(number >> UInt32(bit) & 1) << UInt8(shift)
          }
        }
        return bytes
      }
    }

    var colors: [[UInt8]] {
      numbers.map { number in
        if bits <= 8 { return Int(number) < palette.count ? palette[Int(number)] : [0, 0, 0] }
        if masks.isEmpty { return [16, 8, 0].map { UInt8(number >> UInt32($0) & 255) } }
        return masks.filter { $0 != 0 }.map { mask in
          let most = UInt64(mask >> UInt32(mask.trailingZeroBitCount))
          let value = UInt64((number & mask) >> UInt32(mask.trailingZeroBitCount))
          return UInt8((value * 255 + most / 2) / most)
        }
      }
    }

    /// The header of 40 bytes, and what stands between it and the pixels.
    func header(height: Int, compression: Int) -> [UInt8] {
      little(
        (40, 4), (width, 4), (isTopDown ? -height : height, 4), (1, 2), (bits, 2), (compression, 4), (0, 12))
        + little((palette.count == 1 << bits ? 0 : palette.count, 4), (0, 4))
    }

    var entries: [UInt8] { palette.flatMap { $0.reversed() + [0] } }

    /// - Parameter gap: How many bytes precede the pixels.
    func file(gap: Int = 0, startsAtOnce: Bool = false) -> [UInt8] {
      let compression = masks.isEmpty || bits == 16 && masks[0] == 0x7C00 ? 0 : masks.count == 4 ? 6 : 3
      let written = compression == 0 ? [] : masks.flatMap { little(Int($0), count: 4) }
      let body = header(height: height, compression: compression) + written + entries
      let start = startsAtOnce ? 0 : 14 + body.count + gap
      return Array("BM".utf8) + little((0, 4), (0, 4), (start, 4)) + body + [UInt8](repeating: 9, count: gap)
        + rows(numbers, bits: bits)
    }

    /// As the only image of an icon, with a bit for each pixel that hides it.
    func icon(_ mask: [UInt32]) -> [UInt8] {
      let image =
        header(height: height * 2, compression: 0) + entries + rows(numbers, bits: bits) + rows(mask, bits: 1)
      return little((0, 2), (1, 2), (1, 2)) + [UInt8(width), UInt8(height), 0, 0]
        + little((1, 2), (bits, 2), (image.count, 4), (22, 4)) + image
    }
  }

  private static let sizes = [(1, 1), (1, 5), (3, 2), (7, 3), (8, 2), (9, 4), (31, 1), (32, 2), (33, 3)]

  @Test("Bitmaps of every depth are decoded, from both ends", arguments: [1, 4, 8, 24, 32], [false, true])
  func depths(bits: Int, isTopDown: Bool) throws {
    for (width, height) in Self.sizes {
      var bitmap = Bitmap(width, height, bits: bits)
      bitmap.isTopDown = isTopDown
      for file in [bitmap.file(), bitmap.file(gap: 5), bitmap.file(startsAtOnce: true)] {
        let image = try ImageDecoder.decode(file)
        #expect(image.size == PixelSize(width: width, height: height) && image.pixelFormat == .rgb8)
        #expect(image.bytes == bitmap.colors.flatMap { $0 }, "\(width) × \(height)")
      }
      #expect(try ImageDecoder.byteCost(of: bitmap.file()) == width * height * 3)
    }
  }

  @Test(
    "Channels of a bitmap are scaled from the bits of their masks",
    arguments: [
      (16, [0x7C00, 0x03E0, 0x001F]), (16, [0xF800, 0x07E0, 0x001F]), (32, [0xFF, 0xFF00, 0xFF_0000]),
      (32, [0x3FF0_0000, 0xF_FC00, 0x3FF]), (32, [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
      (16, [0xF00, 0xF0, 0xF, 0xF000]),
      (32, [1, 2, 4, 0xFFFF_FFF8]),
    ] as [(Int, [UInt32])])
  func masks(bits: Int, masks: [UInt32]) throws {
    for (width, height) in Self.sizes {
      var bitmap = Bitmap(width, height, bits: bits)
      bitmap.masks = masks

      let image = try ImageDecoder.decode(bitmap.file())

      #expect(image.pixelFormat == (masks.count == 4 ? .rgba8 : .rgb8))
      #expect(image.bytes == bitmap.colors.flatMap { $0 }, "\(width) × \(height)")
      #expect(try ImageDecoder.byteCost(of: bitmap.file()) == width * height * masks.count)
    }
  }

  @Test("Colors that a palette lacks are black", arguments: [1, 4, 8])
  func palette(bits: Int) throws {
    for count in [1, (1 << bits) - 1] {
      var bitmap = Bitmap(9, 7, bits: bits, seed: 3)
      bitmap.palette = Array(bitmap.palette.prefix(count))
      #expect(try ImageDecoder.decode(bitmap.file()).bytes == bitmap.colors.flatMap { $0 })
    }
  }

  @Test(
    "An icon is transparent where its mask has bits, unless it has alpha of its own",
    arguments: [1, 4, 8, 24, 32])
  func icons(bits: Int) throws {
    for (width, height) in Self.sizes {
      var bitmap = Bitmap(width, height, bits: bits, seed: 5)
      let mask = Bitmap(width, height, bits: 1, seed: 6).numbers
      if bits == 32 { for index in bitmap.numbers.indices { bitmap.numbers[index] &= 0xFF_FFFF } }
      let hidden = zip(bitmap.colors, mask).flatMap { color, bit -> [UInt8] in color + [bit == 1 ? 0 : 255] }

      let image = try ImageDecoder.decode(bitmap.icon(mask))

      #expect(image.pixelFormat == .rgba8 && image.bytes == hidden, "\(width) × \(height)")
      #expect(try ImageDecoder.byteCost(of: bitmap.icon(mask)) == width * height * 12)
      guard bits == 32 else { continue }
      // A single pixel with alpha, and be it the last one, is enough.
      bitmap.numbers[width * height - 1] |= 0x100_0000
      let own = bitmap.numbers.indices.flatMap { index -> [UInt8] in
        bitmap.colors[index] + [index == width * height - 1 ? 1 : 0]
      }
      #expect(try ImageDecoder.decode(bitmap.icon(mask)).bytes == own)
    }
  }

  @Test("An icon without a part of its mask is cut off, and shows its pixels", arguments: [8, 32])
  func cutIcons(bits: Int) throws {
    var bitmap = Bitmap(33, 3, bits: bits, seed: 7)
    if bits == 32 { for index in bitmap.numbers.indices { bitmap.numbers[index] &= 0xFF_FFFF } }
    let mask = [UInt32](repeating: 1, count: 99)
    let file = bitmap.icon(mask)
    for missing in [1, 8, 9, 24] {
      let part = Array(file.dropLast(missing))
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(part) }
      let available = try ImageDecoder.decodeAvailable(part)
      #expect(!available.isComplete)
      // Whole rows of the mask, from the bottom.
      let rows = 3 - (missing + 7) / 8
      let expected = bitmap.colors.enumerated().flatMap { index, color -> [UInt8] in
        color + [index / 33 >= 3 - rows ? 0 : 255]
      }
      #expect(available.image.bytes == expected, "\(missing)")
    }
    #expect(try ImageDecoder.decodeAvailable(file).isComplete)
    let pixels = Array(file.dropLast(24 + 1))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(pixels) }
    #expect(try ImageDecoder.decodeAvailable(pixels).isComplete == false)
  }

  @Test("A bitmap may lack the padding of its last row, but no pixel")
  func cut() throws {
    let bitmap = Bitmap(3, 2, bits: 24)
    let file = bitmap.file()
    #expect(try ImageDecoder.decode(Array(file.dropLast(3))).bytes == bitmap.colors.flatMap { $0 })
    let part = Array(file.dropLast(4))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(part) }
    let available = try ImageDecoder.decodeAvailable(part)
    // The last row of the file is the first one of the image.
    #expect(!available.isComplete)
    #expect(available.image.bytes == [UInt8](repeating: 0, count: 9) + bitmap.colors[3...].flatMap { $0 })
  }

  @Test("Pixels of a bitmap begin behind the first header")
  func starts() throws {
    var file = Bitmap(1, 1, bits: 24).file()
    file.replaceSubrange(10..<14, with: little(13, count: 4))
    #expect(throws: ImageCodecError.corrupt("pixels within the header")) { try ImageDecoder.decode(file) }
    file.replaceSubrange(10..<14, with: little(14, count: 4))
    #expect(try ImageDecoder.decode(file).bytes == [0, 0, 40])
  }
}
