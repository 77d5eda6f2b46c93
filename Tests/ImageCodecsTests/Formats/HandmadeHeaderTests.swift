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
