import ImageCodecs
import Testing

@Suite("Headers of BMP and ICO")
struct BitmapHeaderTests {
  /// The header of a bitmap, of any length: sizes, planes, bits, compression, and zeros but for what is written at places.
  private func header(
    _ length: Int, width: Int = 2, height: Int = 1, bits: Int = 24, compression: Int = 0,
    _ others: [(place: Int, bytes: [UInt8])] = []
  ) -> [UInt8] {
    var bytes = little(length, count: 4)
    if length == 12 {
      bytes += little((width, 2), (height, 2), (1, 2), (bits, 2))
    } else {
      bytes += little((width, 4), (height, 4), (1, 2), (bits, 2), (compression, 4))
    }
    bytes += [UInt8](repeating: 0, count: max(length - bytes.count, 0))
    bytes = Array(bytes.prefix(max(length, 4)))
    for (place, content) in others { bytes.replaceSubrange(place..<place + content.count, with: content) }
    return bytes
  }

  private func file(_ header: [UInt8], _ rest: [UInt8] = [], start: Int = 0) -> [UInt8] {
    Array("BM".utf8) + little((14 + header.count + rest.count, 4), (0, 4), (start, 4)) + header + rest
  }

  private func error(_ file: [UInt8]) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = try ImageDecoder.info(of: file)
      return nil
    } catch { return error }
  }

  private func colors(_ file: [UInt8]) throws -> [[UInt8]] {
    let image = try ImageDecoder.decode(file)
    return (0..<image.width).map { x in image.pixel(x: x, y: 0).map { [$0.red, $0.green, $0.blue] } ?? [] }
  }

  @Test("A header has 12 bytes, or 40 to 124")
  func lengths() throws {
    for length in [0, 4, 11, 12, 13, 16, 39, 40, 41, 52, 56, 64, 107, 108, 124, 125, 200] {
      let isKnown = length == 12 || (40...124).contains(length)
      let file = file(header(length), [1, 2, 3, 4, 5, 6])
      #expect(
        error(file) == (isKnown ? nil : .unsupportedFeature("a bitmap with a header of \(length) bytes")),
        "\(length)")
      if isKnown {
        #expect(try colors(file) == [[3, 2, 1], [6, 5, 4]], "\(length)")
        for count in [18, 14 + length - 1] {
          #expect(error(Array(file.prefix(count))) == .truncated, "\(length)")
        }
        #expect(error(Array(file.prefix(14 + length))) == nil, "\(length)")
      }
    }
    for count in 10..<18 { #expect(error(Array(file(header(40)).prefix(count))) == .truncated, "\(count)") }
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, Int(Int32.min))] {
      #expect(
        error(file(header(40, width: width, height: height))) == .corrupt("an empty image"),
        "\(width) \(height)")
    }
    #expect(
      try ImageDecoder.info(of: file(header(40, width: 1, height: Int(Int32.min) + 1))).storedSize.height
        == Int(Int32.max))
    #expect(
      try ImageDecoder.info(of: file(header(12, width: 65_535, height: 65_534))).storedSize
        == PixelSize(width: 65_535, height: 65_534))
  }

  @Test("Each number of bits has its compressions")
  func compressions() {
    for bits in [1, 4, 8, 16, 24, 32] {
      for compression in 0...7 {
        let expected: ImageCodecError? =
          switch compression {
          case 0: nil
          case 1 where bits == 8: nil
          case 2 where bits == 4: nil
          case 3 where bits == 16 || bits == 32, 6 where bits == 16 || bits == 32: nil
          case 4, 5: .unsupportedFeature("a JPEG or PNG in a bitmap")
          default: .corrupt("compression \(compression) of \(bits) bits a pixel")
          }
        #expect(
          error(file(header(56, bits: bits, compression: compression))) == expected, "\(bits) \(compression)")
      }
    }
    for bits in [0, 2, 3, 5, 15, 31, 33] {
      for length in [12, 40] {
        #expect(error(file(header(length, bits: bits))) == .corrupt("a bitmap of \(bits) bits a pixel"))
      }
    }
  }

  @Test("Masks are in the header or behind it, and there are three or four")
  func masks() throws {
    let masks = [0xF000, 0x0F00, 0x00F0, 0x000F].flatMap { little($0, count: 4) }
    // Red, green, blue and alpha of sixteen bits in four each.
    let pixel: [UInt8] = [0x4C, 0x48]
    for (length, compression, count) in [
      (40, 3, 3), (40, 6, 4), (44, 3, 3), (52, 3, 3), (52, 6, 3), (56, 3, 4), (56, 6, 4), (108, 3, 4),
    ] {
      let inHeader = length >= 52
      let content = Array(masks.prefix(count * 4))
      let bytes = file(
        header(length, width: 1, bits: 16, compression: compression, inHeader ? [(40, content)] : []),
        (inHeader ? [] : content) + pixel)
      guard length != 52 || compression == 3 else {
        // The fourth mask would be behind the header.
        #expect(error(bytes) == .truncated)
        continue
      }
      #expect(try ImageDecoder.info(of: bytes).hasAlpha == (count == 4), "\(length) \(compression)")
      let found = try #require(try ImageDecoder.decode(bytes).pixel(x: 0, y: 0))
      #expect(
        [found.red, found.green, found.blue, found.alpha] == [68, 136, 68, count == 4 ? 204 : 255],
        "\(length) \(compression)")
      if !inHeader {
        for missing in 1...4 { #expect(error(Array(bytes.dropLast(pixel.count + missing))) == .truncated) }
      }
    }
    // Without masks, five bits each.
    #expect(try colors(file(header(40, width: 1, bits: 16), [0x1F, 0x7C])) == [[255, 0, 255]])
    #expect(try colors(file(header(40, width: 1, bits: 16), [0xE0, 0x83])) == [[0, 255, 0]])
    #expect(try !ImageDecoder.info(of: file(header(40, bits: 16))).hasAlpha)
  }

  @Test("A palette has three or four bytes a color, as many colors as it says, and at most those of its bits")
  func palettes() throws {
    for bits in [1, 4, 8] {
      let all = 1 << bits
      for length in [12, 40] {
        let stride = length == 12 ? 3 : 4
        let palette = (0..<all).flatMap { (index: Int) -> [UInt8] in
          Array([1, 2, UInt8(index), 9].prefix(stride))
        }
        for claimed in length == 12 ? [0] : [0, 2, all, all + 1, 100_000] {
          let count = claimed == 0 ? all : min(claimed, all)
          // The first two colors of the palette.
          let pixels: [UInt8] = bits == 8 ? [1, 0, 0, 0] : bits == 4 ? [0x10, 0, 0, 0] : [0x80, 0, 0, 0]
          let number = length == 12 ? [] : [(place: 32, bytes: little(claimed, count: 4))]
          let bytes = file(header(length, bits: bits, number), Array(palette.prefix(count * stride)) + pixels)
          #expect(try colors(bytes) == [[1, 2, 1], [0, 2, 1]], "\(bits) \(length) \(claimed)")
        }
      }
    }
  }

  @Test("Rows have multiples of four bytes")
  func rows() throws {
    for bits in [1, 4, 8, 16, 24, 32] {
      for width in 1...9 {
        let row = (width * bits + 31) / 32 * 4
        let palette =
          bits <= 8
          ? (0..<1 << bits).flatMap { (index: Int) -> [UInt8] in [UInt8(index == 1 ? 255 : 0), 0, 0, 0] } : []
        var pixels = [UInt8](repeating: 0, count: row * 2)
        // The second row from below begins with one that is blue.
        let count = max(bits / 8, 1)
        pixels.replaceSubrange(
          row..<row + count, with: little([1: 0x80, 4: 0x10, 8: 1][bits] ?? 0x1F, count: count))
        let image = try ImageDecoder.decode(
          file(header(40, width: width, height: 2, bits: bits), palette + pixels))
        let blues = (0..<2).map { y in (0..<width).map { x in image.pixel(x: x, y: y)?.blue == 0 } }
        #expect(
          blues[1].allSatisfy { $0 } && blues[0] == [false] + [Bool](repeating: true, count: width - 1),
          "\(bits) \(width)")
      }
    }
  }

  @Test("The colors of a newer header are sRGB or those of a profile, which may be missing")
  func profiles() throws {
    let profile = Profiles.minimal()
    for (length, kind, isNamed) in [
      (108, "BGRs", true), (124, "BGRs", true), (124, " niW", false), (107, "BGRs", false),
    ] {
      let bytes = file(header(length, [(56, Array(kind.utf8))]), [1, 2, 3, 4, 5, 6])
      #expect(
        try ImageDecoder.decode(bytes, options: .asStored).colorSpace == (isNamed ? .sRGB : .untagged),
        "\(length) \(kind)")
    }
    for (error, isThere) in [(0, true), (1, false)] {
      let place = little((124 + 6, 4), (profile.count + error, 4))
      let bytes = file(header(124, [(56, Array("DEBM".utf8)), (112, place)]), [1, 2, 3, 4, 5, 6] + profile)
      let part = try ImageDecoder.decodeAvailable(bytes, options: .asStored)
      let expected: Image.ColorSpace =
        isThere ? .profile(try #require(ICCProfile(bytes: profile))) : .untagged
      #expect(part.isComplete == isThere && part.image.colorSpace == expected)
      #expect(part.image.bytes == [3, 2, 1, 6, 5, 4])
    }
  }

  @Test("The largest image of an icon has the most pixels, and of those the most bits")
  func icons() throws {
    func icon(_ entries: [(width: UInt8, height: UInt8, bits: Int)], kind: Int = 1) -> [UInt8] {
      let images = entries.indices.map { header(40, width: $0 + 1, height: 2, bits: 24) }
      var file = little((0, 2), (kind, 2), (entries.count, 2))
      for (index, entry) in entries.enumerated() {
        file += [entry.width, entry.height, 0, 0, 1, 0]
        file += little((entry.bits, 2), (40, 4), (6 + 16 * entries.count + 40 * index, 4))
      }
      return file + images.flatMap { $0 }
    }
    for (entries, width) in [
      ([(16, 16, 8), (17, 16, 1)], 2), ([(16, 17, 1), (16, 16, 8)], 1), ([(0, 1, 1), (255, 1, 8)], 1),
      ([(1, 0, 1), (1, 255, 8)], 1), ([(0, 0, 1), (255, 255, 32)], 1),
      ([(16, 16, 8), (16, 16, 9)], 2), ([(16, 16, 32), (16, 16, 24)], 1), ([(16, 16, 62), (16, 16, 63)], 2),
      ([(16, 16, 23), (16, 16, 0)], 2), ([(16, 16, 25), (16, 16, 0)], 1),
      ([(1, 1, 60_000), (1, 2, 1)], 2),
    ] as [([(UInt8, UInt8, Int)], Int)] {
      let found = try ImageDecoder.info(of: icon(entries.map { (width: $0.0, height: $0.1, bits: $0.2) }))
      #expect(
        found.storedSize == PixelSize(width: width, height: 1) && found.hasAlpha && found.format == .ico,
        "\(entries)")
    }
    let one = icon([(1, 1, 24)])
    for count in [4, 5, 6, 21] { #expect(error(Array(one.prefix(count))) == .truncated, "\(count)") }
    for (height, isTopDown, compression) in [(3, false, 0), (2, true, 0), (2, false, 1)] {
      let bad =
        Array(one.prefix(22))
        + header(
          40, width: 1, height: isTopDown ? -height : height, bits: compression == 1 ? 8 : 24,
          compression: compression)
      #expect(error(bad) == .corrupt("an icon without a mask"))
    }
    let png = PNGFile.file(
      3, 5, bitDepth: 16, color: 6, before: [("eXIf", Exif.data(orientation: 6, bigEndian: true))], rows: [])
    let found = try ImageDecoder.info(of: Array(one.prefix(14)) + little((0, 4), (22, 4)) + png)
    #expect(
      found.storedSize == PixelSize(width: 3, height: 5) && found.orientation == .right && found.hasAlpha)
    #expect(found.bitsPerComponent == 16 && found.format == .ico)
  }
}
