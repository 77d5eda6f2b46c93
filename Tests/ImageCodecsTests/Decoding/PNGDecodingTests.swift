import ImageCodecs
import Testing

@Suite("PNG decoding")
struct PNGDecodingTests {
  @Test("Gray levels of a PNG with fewer bits are scaled to eight bits", arguments: [1, 2, 4, 8])
  func gray(bits: Int) throws {
    let levels = 1 << min(bits, 3)
    let values = (0..<levels).map { $0 * ((1 << bits) - 1) / (levels - 1) }
    let file = PNGFile.file(
      levels, 1, bitDepth: UInt8(bits), color: 0, rows: [packed(values, bits: bits)])

    let image = try ImageDecoder.decode(file)

    #expect(image.pixelFormat == .gray8)
    #expect(image.bytes == values.map { UInt8($0 * 255 / ((1 << bits) - 1)) })
    #expect(try ImageDecoder.info(of: file).bitsPerComponent == bits)
  }

  @Test("16-bit PNG samples are rounded to eight bits")
  func sixteenBits() throws {
    let row: [UInt8] = [0xFF, 0xFF, 0x80, 0x80, 0x00, 0x7F, 0x12, 0x34, 0x00, 0xFF, 0xAB, 0xCD]

    let rgb = try ImageDecoder.decode(PNGFile.file(2, 1, bitDepth: 16, color: 2, rows: [row]))
    let gray = try ImageDecoder.decode(PNGFile.file(6, 1, bitDepth: 16, color: 0, rows: [row]))

    #expect(rgb.pixelFormat == .rgb8 && gray.pixelFormat == .gray8)
    #expect(rgb.bytes == [0xFF, 0x80, 0x00, 0x12, 0x01, 0xAB])
    #expect(gray.bytes == rgb.bytes)
  }

  @Test("PNG palette indices become colors, with the alpha of the palette")
  func palette() throws {
    let colors: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255]
    let rows = [packed([0, 1, 2, 1], bits: 2)]

    let opaque = try ImageDecoder.decode(
      PNGFile.file(4, 1, bitDepth: 2, color: 3, before: [("PLTE", colors)], rows: rows))
    let transparent = try ImageDecoder.decode(
      PNGFile.file(4, 1, bitDepth: 2, color: 3, before: [("PLTE", colors), ("tRNS", [10, 20])], rows: rows))

    #expect(opaque.pixelFormat == .rgb8)
    #expect(opaque.bytes == [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 255, 0])
    #expect(transparent.bytes == [255, 0, 0, 10, 0, 255, 0, 20, 0, 0, 255, 255, 0, 255, 0, 20])
  }

  @Test("A gray PNG with alpha or with a transparent level decodes to RGBA")
  func grayWithAlpha() throws {
    let withAlpha = PNGFile.file(2, 1, color: 4, rows: [[9, 200, 7, 100]])
    let withLevel = PNGFile.file(2, 1, color: 0, before: [("tRNS", [0, 7])], rows: [[9, 7]])

    #expect(try ImageDecoder.decode(withAlpha).bytes == [9, 9, 9, 200, 7, 7, 7, 100])
    #expect(try ImageDecoder.decode(withLevel).bytes == [9, 9, 9, 255, 7, 7, 7, 0])
    for file in [withAlpha, withLevel] { #expect(try ImageDecoder.info(of: file).hasAlpha) }
  }

  @Test("An interlaced PNG has the same pixels at all small sizes")
  func interlaced() throws {
    for width in 1...9 {
      for height in 1...9 {
        let pixels: [[UInt8]] = (0..<height).map { (y: Int) in
          (0..<width).map { (x: Int) in UInt8(x * 20 + y * 3) }
        }
        let file = PNGFile.interlaced(pixels)

        let image = try ImageDecoder.decode(file)

        #expect(image.bytes == pixels.flatMap { $0 })
        #expect(try ImageDecoder.info(of: file).isProgressive)
      }
    }
  }

  @Test("PNG image data split into one-byte chunks decodes")
  func smallPieces() throws {
    let data = Deflate.stored([0, 1, 2, 3, 0, 4, 5, 6])
    var file = PNGFile(width: 1, height: 2)
    for byte in data { file.append("IDAT", [byte]) }
    file.append("IDAT", [])
    file.end()

    #expect(try ImageDecoder.decode(file.bytes).bytes == [1, 2, 3, 4, 5, 6])
  }

  @Test("A PNG keeps a matching color profile on request and drops a mismatched one")
  func profile() throws {
    let color = Profiles.minimal()
    let gray = Profiles.minimal("GRAY")
    let chunk = { (profile: [UInt8]) in [("iCCP", Array("name".utf8) + [0, 0] + Deflate.stored(profile))] }
    let rgb = { PNGFile.file(1, 1, color: 2, before: chunk($0), rows: [[1, 2, 3]]) }
    let level = { PNGFile.file(1, 1, color: 0, before: chunk($0), rows: [[1]]) }

    #expect(
      try ImageDecoder.decode(rgb(color), options: .asStored).colorSpace
        == ICCProfile(bytes: color).map { .profile($0) })
    #expect(
      try ImageDecoder.decode(level(gray), options: .asStored).colorSpace
        == ICCProfile(bytes: gray).map { .profile($0) })
    #expect(try ImageDecoder.decode(rgb(gray), options: .asStored).colorSpace == .untagged)
    #expect(
      try ImageDecoder.decode(rgb(Array(color.dropLast(8))), options: .asStored).colorSpace == .untagged)
    #expect(try ImageDecoder.decode(rgb([]), options: .asStored).colorSpace == .untagged)
  }

  @Test("The profile of gray applies to gray with transparency, unless numbers name the colors")
  func grayProfileWithAlpha() throws {
    let profile = [("iCCP", Array("name".utf8) + [0, 0] + Deflate.stored(Profiles.linearGray))]
    #expect(Profiles.light[128] == 188)
    for level in [0, 3, 128, 255] as [UInt8] {
      let alpha = PNGFile.file(1, 1, color: 4, before: profile, rows: [[level, 77]])
      let wide = PNGFile.file(1, 1, bitDepth: 16, color: 4, before: profile, rows: [[level, level, 77, 77]])
      let key = PNGFile.file(1, 1, color: 0, before: profile + [("tRNS", [0, 1])], rows: [[level]])
      for (file, opacity) in [(alpha, 77), (wide, 77), (key, 255)] as [([UInt8], UInt8)] {
        for options in [DecodingOptions(), .asStored, DecodingOptions(keepsDepth: true)] {
          let image = try ImageDecoder.decode(file, options: options)
          let bytes = try image.reducedTo8Bits().bytes
          #expect(image.colorSpace == .sRGB && bytes.count == 4 && bytes[3] == opacity)
          #expect(bytes.prefix(3).allSatisfy { Profiles.isLight($0, of: level) }, "\(bytes) for \(level)")
        }
      }
    }
    // sRGB, by number.
    let named = profile + [("cICP", [1, 13, 0, 1])]
    let file = PNGFile.file(1, 1, color: 4, before: named, rows: [[128, 77]])
    #expect(try ImageDecoder.decode(file).bytes == [128, 128, 128, 77])
  }

  @Test("An animated PNG is reported as animated and decodes to its still image")
  func animated() throws {
    let file = PNGFile.file(1, 1, color: 0, before: [("acTL", [0, 0, 0, 2, 0, 0, 0, 0])], rows: [[77]])

    #expect(try ImageDecoder.info(of: file).isAnimated)
    #expect(try ImageDecoder.decode(file).bytes == [77])
  }

  private func packed(_ values: [Int], bits: Int) -> [UInt8] {
    let perByte = 8 / bits
    return stride(from: 0, to: values.count, by: perByte).map { start in
      (0..<perByte).reduce(0) { byte, index in
        byte << bits | (start + index < values.count ? UInt8(values[start + index]) : 0)
      }
    }
  }
}
