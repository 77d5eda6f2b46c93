import ImageCodecs
import Testing

/// Headers that hardly any program writes, byte by byte.
@Suite("Rare headers")
struct HandmadeHeaderTests {
  private func error(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = try ImageDecoder.decode(file, options: options)
      return nil
    } catch {
      return error
    }
  }

  @Test("A JPEG header with an empty frame is corrupt, and unusual components are unsupported")
  func emptyJPEG() throws {
    #expect(error(JPEGFile(width: 0).bytes) == .corrupt("an empty frame"))
    #expect(error(JPEGFile(height: 0).bytes) == .corrupt("an empty frame"))
    #expect(error(JPEGFile(componentsInFrame: 0).bytes) == .corrupt("an empty frame"))
    #expect(error(JPEGFile(precision: 12).bytes) == .unsupportedFeature("JPEG of 12 bits"))
    #expect(error(JPEGFile(componentsInFrame: 2).bytes) == .unsupportedFeature("JPEG of 2 components"))
    #expect(error(JPEGFile(width: 1, height: 1).bytes) == nil)
  }

  @Test("The decoded size of a PNG counts its channels, and its depth if kept")
  func bytesOfPNG() {
    for (color, bits, channels) in [(0, 8, 1), (2, 8, 3), (4, 8, 2), (6, 8, 4), (0, 16, 1), (2, 16, 3)] {
      let row = [UInt8](repeating: 7, count: 10 * channels * bits / 8)
      let file = PNGFile.file(
        10, 10, bitDepth: UInt8(bits), color: UInt8(color), rows: [[UInt8]](repeating: row, count: 10))
      for keepsDepth in [false, true] {
        // With alpha, gray is stored as RGBA.
        let bytes = 100 * (channels == 2 ? 4 : channels) * (keepsDepth ? bits / 8 : 1)
        var options = DecodingOptions()
        options.keepsDepth = keepsDepth
        options.limits.maximumDecodedBytes = bytes
        #expect(error(file, options) == nil, "\(color) \(bits) \(keepsDepth)")
        options.limits.maximumDecodedBytes = bytes - 1
        #expect(error(file, options) == .tooLarge(width: 10, height: 10, limit: .bytes(bytes - 1)))
      }
    }
  }

  @Test("A PNG ignores transparency after its data and EXIF above 65,536 bytes")
  func chunks() throws {
    let rows: [[UInt8]] = [[9]]
    var late = PNGFile(width: 1, height: 1, color: 0)
    late.append(rows: rows)
    late.append("tRNS", [0, 9])
    late.end()
    let early = PNGFile.file(1, 1, color: 0, before: [("tRNS", [0, 9])], rows: rows)
    #expect(try ImageDecoder.info(of: early).hasAlpha && !ImageDecoder.info(of: late.bytes).hasAlpha)

    let exif = Exif.data(orientation: 6, bigEndian: true)
    for (count, orientation) in [(65_536, ImageOrientation.right), (65_537, .up)] {
      let padded = exif + [UInt8](repeating: 0, count: count - exif.count)
      let file = PNGFile.file(1, 1, color: 0, before: [("eXIf", padded)], rows: rows)
      #expect(try ImageDecoder.info(of: file).orientation == orientation)
    }
    var damaged = PNGFile(width: 1, height: 1, color: 0)
    damaged.append("eXIf", exif, crcError: 1)
    damaged.append(rows: rows)
    damaged.end()
    #expect(try ImageDecoder.info(of: damaged.bytes).orientation == .up)
  }

  @Test("A WebP uses its first EXIF chunk of at most 65,536 bytes")
  func exifOfWebP() throws {
    let size = PixelSize(width: 3, height: 2)
    let image = try ImageEncoder.encode(Samples.flat(3, 2, [1, 2, 3]), as: .losslessWebP)
    let exif = { Exif.data(orientation: $0, bigEndian: true) }
    let padded = { (count: Int) in exif(6) + [UInt8](repeating: 0, count: count - exif(6).count) }
    for (data, orientation) in [
      ([exif(6), exif(3)], ImageOrientation.right), ([padded(65_536)], .right),
      ([padded(65_537), exif(3)], .down),
      ([], .up),
    ] {
      let chunks = data.flatMap { WebPFile.chunk("EXIF", $0) }
      let file = WebPFile.riff(WebPFile.canvas(size, flags: 8) + Array(image[12...]) + chunks)
      #expect(try ImageDecoder.info(of: file).orientation == orientation)
    }
  }

  /// A TIFF of one pixel, whose entries have these types.
  private func tiff(
    bits: Int = 8, samples: Int = 1, type: Int = 3, orientation: Int = 1, isBig: Bool = false
  ) -> [UInt8] {
    let number = { (value: Int, count: Int) in
      isBig ? big(value, count: count) : little(value, count: count)
    }
    let sizes = [1: 1, 3: 2, 4: 4]
    let entries = [
      (256, 1), (257, 1), (258, bits), (259, 1), (262, 1), (273, 8 + 2 + 10 * 12 + 4), (274, orientation),
      (277, samples), (278, 1), (279, 1),
    ]
    let start = isBig ? Array("MM".utf8) : Array("II".utf8)
    return start + number(42, 2) + number(8, 4) + number(entries.count, 2)
      + entries.flatMap { tag, value -> [UInt8] in
        let content = number(value, sizes[type]!)
        return number(tag, 2) + number(type, 2) + number(1, 4) + content
          + [UInt8](repeating: 0, count: 4 - content.count)
      } + [0, 0, 0, 0, 200]
  }

  @Test(
    "TIFF fields of one, two and four bytes are read in both byte orders", arguments: [1, 3, 4],
    [false, true])
  func numbersOfTIFF(type: Int, isBig: Bool) throws {
    let file = tiff(type: type, orientation: 6, isBig: isBig)

    let info = try ImageDecoder.info(of: file)

    #expect(info.storedSize == PixelSize(width: 1, height: 1) && info.orientation == .right)
    #expect(info.bitsPerComponent == 8)
  }

  @Test("A TIFF with an unsupported sample size or count is refused")
  func samplesOfTIFF() throws {
    for bits in [1, 2, 4, 8, 16, 24, 32, 64] {
      #expect(try ImageDecoder.info(of: tiff(bits: bits)).bitsPerComponent == bits)
    }
    for (bits, samples) in [(17, 1), (0, 1), (128, 1), (8, 0), (8, 9)] {
      #expect(throws: ImageCodecError.unsupportedFeature("TIFF of \(samples) samples of \(bits) bits")) {
        try ImageDecoder.info(of: tiff(bits: bits, samples: samples))
      }
    }
  }

  @Test("A BMP with an alpha mask in its 56-byte header is transparent")
  func masks() throws {
    let masks = [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000].flatMap { little($0, count: 4) }
    for (count, alpha) in [(56, UInt8(128)), (52, 255)] {
      let header = little(
        (18 + count, 4), (0, 4), (14 + count, 4), (count, 4), (1, 4), (1, 4), (1, 2), (32, 2), (3, 4), (4, 4),
        (0, 16))
      let file = Array("BM".utf8) + header + Array(masks.prefix(count - 40)) + [30, 20, 10, 128]

      let pixel = try ImageDecoder.decode(file).pixel(x: 0, y: 0)

      #expect(pixel == Image.Pixel(red: 10, green: 20, blue: 30, alpha: alpha))
    }
  }

  @Test("An icon bitmap has its color masks in the header or behind it")
  func masksInIcon() throws {
    let masks = [0xFF_0000, 0xFF00, 0xFF].flatMap { little($0, count: 4) }
    for count in [40, 52] {
      let header = little((count, 4), (1, 4), (2, 4), (1, 2), (32, 2), (3, 4), (0, 20)) + masks
      let bitmap = header + [30, 20, 10, 0] + [0, 0, 0, 0]
      let entry = [1, 1, 0, 0, 1, 0, 32, 0] + little((bitmap.count, 4), (22, 4))
      let file = little((0, 2), (1, 2), (1, 2)) + entry + bitmap

      #expect(try ImageDecoder.decode(file).pixel(x: 0, y: 0) == Image.Pixel(red: 10, green: 20, blue: 30))
    }
  }

  @Test("An icon decodes its largest image by area")
  func icon() throws {
    let sides = [(4, 9), (16, 3), (6, 7)]
    let images = try sides.map {
      try ImageEncoder.encode(Samples.flat($0.0, $0.1, [1, 2, 3, 255]), as: .png)
    }
    var file = little((0, 2), (1, 2), (sides.count, 2))
    var offset = 6 + 16 * sides.count
    for (side, image) in zip(sides, images) {
      file += [UInt8(side.0), UInt8(side.1), 0, 0, 1, 0, 32, 0]
      file += little(image.count, count: 4) + little(offset, count: 4)
      offset += image.count
    }

    let image = try ImageDecoder.decode(file + images.flatMap { $0 })

    #expect(image.size == PixelSize(width: 16, height: 3))
  }

  @Test("An icon decodes the deepest of its largest images")
  func iconDepth() throws {
    func bitmap(_ bits: Int, _ pixel: [UInt8]) -> [UInt8] {
      little((40, 4), (1, 4), (2, 4), (1, 2), (bits, 2), (0, 24)) + pixel + [0, 0, 0, 0]
    }
    let both = [(24, bitmap(24, [1, 1, 1, 0])), (32, bitmap(32, [9, 20, 30, 255]))]
    for images in [both, both.reversed()] {
      // An icon with and without the depth, and a cursor, which has the place of its pointer there.
      for (kind, depths) in [(1, images.map(\.0)), (1, [0, 0]), (2, [60, 0])] {
        var file = little((0, 2), (kind, 2), (2, 2))
        var offset = 38
        for ((_, bytes), depth) in zip(images, depths) {
          file += [1, 1, 0, 0, 1, 0] + little((depth, 2), (bytes.count, 4), (offset, 4))
          offset += bytes.count
        }

        let image = try ImageDecoder.decode(file + images.flatMap(\.1))

        #expect(image.pixel(x: 0, y: 0) == Image.Pixel(red: 30, green: 20, blue: 9))
      }
    }
  }

  @Test("The mask of an icon bitmap makes pixels transparent, starting at the left")
  func iconMask() throws {
    for mask in [UInt8(0x80), 0x40, 0] {
      let file = twoPixelIcon(mask: mask)

      let image = try ImageDecoder.decode(file)

      #expect(image.pixel(x: 0, y: 0)?.alpha == (mask == 0x80 ? 0 : 255))
      #expect(image.pixel(x: 1, y: 0)?.alpha == (mask == 0x40 ? 0 : 255))
    }
  }

  @Test("An icon bitmap with a shortened mask is incomplete")
  func missingMask() throws {
    #expect(try ImageDecoder.decodeAvailable(twoPixelIcon(mask: 0)).isComplete)
    for missing in 1...4 {
      let file = Array(twoPixelIcon(mask: 0).dropLast(missing))
      let part = try ImageDecoder.decodeAvailable(file)
      #expect(!part.isComplete)
      #expect(part.image.pixel(x: 1, y: 0) == Image.Pixel(red: 10, green: 20, blue: 30))
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(file) }
    }
  }

  private func twoPixelIcon(mask: UInt8) -> [UInt8] {
    // The height counts the mask, too.
    let header = little((40, 4), (2, 4), (2, 4), (1, 2), (24, 2), (0, 24))
    let bitmap = header + [30, 20, 10, 30, 20, 10, 0, 0] + [mask, 0, 0, 0]
    let entry = [2, 1, 0, 0, 1, 0, 24, 0] + little((bitmap.count, 4), (22, 4))
    return little((0, 2), (1, 2), (1, 2)) + entry + bitmap
  }

  @Test("GIF sides of more than 255 pixels are read", arguments: [(3, 300), (300, 3)])
  func sidesOfGIF(width: Int, height: Int) throws {
    var file = UncompressedFile.gif(width, height)
    // The first color of the palette, which all pixels have.
    file.replaceSubrange(13..<16, with: [9, 8, 7])

    let image = try ImageDecoder.decode(file)

    #expect(image.size == PixelSize(width: width, height: height))
    #expect(image.pixel(x: width - 1, y: height - 1) == Image.Pixel(red: 9, green: 8, blue: 7))
  }

  @Test("A GIF without a canvas size uses its first frame, and is corrupt without one")
  func emptyGIF() throws {
    #expect(try ImageDecoder.info(of: GIFFile(width: 0).bytes).size == PixelSize(width: 2, height: 2))
    #expect(try ImageDecoder.info(of: GIFFile(height: 0).bytes).size == PixelSize(width: 2, height: 2))
    #expect(error(GIFFile(width: 0, frames: []).bytes) == .corrupt("an empty image"))
    #expect(error(GIFFile(height: 0, frames: []).bytes) == .corrupt("an empty image"))
    #expect(error(Array(GIFFile(height: 0).bytes.prefix(40))) == .truncated)
  }

  @Test("A WebP uses the first of several color profiles")
  func profilesOfWebP() throws {
    let image = try ImageEncoder.encode(Samples.flat(3, 2, [1, 2, 3]), as: .losslessWebP)
    let profiles = [0, 56].flatMap { WebPFile.chunk("ICCP", Profiles.minimal(padding: $0)) }
    let canvas = WebPFile.canvas(PixelSize(width: 3, height: 2), flags: 0x20)

    let decoded = try ImageDecoder.decode(
      WebPFile.riff(canvas + profiles + Array(image[12...])), options: .asStored)

    #expect(decoded.colorSpace.description == "profile of 244 bytes")
  }

  @Test("A WebP without an image is corrupt if complete, and truncated otherwise")
  func emptyWebP() {
    let other = WebPFile.chunk("JUNK", [1, 2, 3])
    for chunks in [[], other, other + [1, 2, 3]] {
      #expect(error(WebPFile.riff(chunks)) == .corrupt("no image data"))
      #expect(error(WebPFile.riff(chunks, announcing: chunks.count + 5)) == .truncated)
    }
  }

  @Test("An AVIF with a movie box is animated")
  func animatedBoxes() throws {
    let still = try Files.bytes("picture.avif")

    #expect(try !ImageDecoder.info(of: still).isAnimated)
    #expect(try ImageDecoder.info(of: still + big(8, count: 4) + Array("moov".utf8)).isAnimated)
  }

  @Test("An AVIF without an image is unsupported if complete, and truncated otherwise")
  func boxes() {
    let type = big(16, count: 4) + Array("ftypavif".utf8) + [0, 0, 0, 0]

    #expect(error(type) == .unsupportedFeature("boxes without an image"))
    #expect(error(type + big(99, count: 4) + Array("free".utf8)) == .truncated)
    #expect(error(type + big(99, count: 4) + Array("meta".utf8) + [0, 0, 0, 0]) == .truncated)
  }

  @Test("A 16-bit PNG decodes to 8 bits unless depth is kept")
  func depth() throws {
    let file = PNGFile.file(1, 1, bitDepth: 16, color: 2, rows: [[1, 2, 3, 4, 5, 6]])
    var options = DecodingOptions()
    #expect(try ImageDecoder.decode(file, options: options).pixelFormat == .rgb8)
    options.keepsDepth = true
    #expect(try ImageDecoder.decode(file, options: options).pixelFormat == .rgb16)
  }

  @Test("An SVG document is detected behind its prolog")
  func prologs() {
    for text in [
      "<svg/>", "<svg>", "<s:svg xmlns:s='a'>", "<?xml version=\"1.0\"?><svg >", "<!-- <b> --><svg/>",
      "<!DOCTYPE svg [<!ELEMENT a>]><svg/>", "<!DOCTYPE svg>\n\t <svg/>", "\u{FEFF}<svg/>",
    ] {
      #expect(SVGRenderer.isDocument(Array(text.utf8)), "\(text)")
    }
    for text in ["", "svg", "<svgs>", "<a><svg/></a>", "<?xml <svg/>", "<!-- <svg/>", "<asvg/>"] {
      #expect(!SVGRenderer.isDocument(Array(text.utf8)), "\(text)")
    }
  }
}
