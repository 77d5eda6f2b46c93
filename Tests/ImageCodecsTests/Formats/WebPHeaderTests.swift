import ImageCodecs
import Testing

@Suite("WebP headers")
struct WebPHeaderTests {
  private func info(_ chunks: [UInt8]...) throws -> ImageInfo {
    try ImageDecoder.info(of: WebPFile.riff(chunks.flatMap { $0 }))
  }

  private func error(_ chunks: [UInt8]...) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = try ImageDecoder.info(of: WebPFile.riff(chunks.flatMap { $0 }))
      return nil
    } catch { return error }
  }

  private func lossless(_ width: Int, _ height: Int, alpha: Int = 0, sign: UInt8 = 0x2F) -> [UInt8] {
    WebPFile.chunk("VP8L", [sign] + little(width - 1 | (height - 1) << 14 | alpha << 28, count: 4))
  }

  private func lossy(_ width: Int, _ height: Int, code: [UInt8] = [0x9D, 0x01, 0x2A]) -> [UInt8] {
    WebPFile.chunk("VP8 ", [0, 0, 0] + code + little((width, 2), (height, 2)))
  }

  @Test("The size of a lossless image has 14 bits a side, and one bit says whether it has alpha")
  func losslessSizes() throws {
    for (width, height) in [(1, 1), (2, 3), (0x2AAB, 0x1556), (1 << 14, 1 << 14), (1, 1 << 14), (1 << 14, 1)]
    {
      for alpha in 0...1 {
        let found = try info(lossless(width, height, alpha: alpha))
        #expect(found.storedSize == PixelSize(width: width, height: height) && found.hasAlpha == (alpha == 1))
      }
    }
    // A version, which follows.
    #expect(try !info(lossless(2, 3, alpha: 0b1110)).hasAlpha)
    #expect(error(lossless(2, 3, sign: 0x2E)) == .corrupt("a damaged lossless header"))
    #expect(error(WebPFile.chunk("VP8L", [0x2F, 0, 0, 0])) == .corrupt("a damaged lossless header"))
  }

  @Test("The size of a lossy image has 14 bits a side, behind a start code")
  func lossySizes() throws {
    for (width, height) in [(1, 1), (0x2AAA, 0x1555), (0x3FFF, 0x3FFF)] {
      // Two bits more say how it is to be enlarged.
      for scale in 0...3 {
        let found = try info(lossy(width | scale << 14, height | (3 - scale) << 14))
        #expect(
          found.storedSize == PixelSize(width: width, height: height) && !found.hasAlpha && !found.isAnimated)
      }
    }
    #expect(
      error(lossy(0, 1)) == .corrupt("an empty image") && error(lossy(1, 0)) == .corrupt("an empty image"))
    for code: [UInt8] in [[0x9C, 0x01, 0x2A], [0x9D, 0x02, 0x2A], [0x9D, 0x01, 0x2B]] {
      #expect(error(lossy(1, 1, code: code)) == .corrupt("a damaged frame header"))
    }
    for count in 0..<10 {
      let cut = Array(lossy(1, 1)[8...].prefix(count))
      #expect(error(WebPFile.chunk("VP8 ", cut)) == .corrupt("a damaged frame header"), "\(count)")
    }
    // The first of two.
    #expect(try info(lossy(2, 3), lossless(5, 6, alpha: 1)).storedSize == PixelSize(width: 2, height: 3))
    #expect(
      try info(WebPFile.chunk("JUNK", [1]), lossless(5, 6), lossy(2, 3)).storedSize
        == PixelSize(width: 5, height: 6))
  }

  @Test("A canvas has a size of three bytes a side, and flags")
  func canvas() throws {
    for flags: UInt8 in [0, 0x02, 0x04, 0x08, 0x10, 0x20, 0x3E, 0xC1] {
      let found = try info(
        WebPFile.canvas(PixelSize(width: 0x010203, height: 0x040506), flags: flags), lossy(2, 3))
      #expect(found.storedSize == PixelSize(width: 0x010203, height: 0x040506))
      #expect(found.hasAlpha == (flags & 0x10 != 0) && found.isAnimated == (flags & 0x02 != 0), "\(flags)")
    }
    // Without an image, too; and alpha of the image does not count.
    #expect(
      try info(WebPFile.canvas(PixelSize(width: 1, height: 1), flags: 0)).storedSize
        == PixelSize(width: 1, height: 1))
    #expect(
      try !info(WebPFile.canvas(PixelSize(width: 5, height: 6), flags: 0), lossless(5, 6, alpha: 1)).hasAlpha)
    for count in 0..<10 {
      let cut = Array(WebPFile.canvas(PixelSize(width: 1, height: 1), flags: 0)[8...].prefix(count))
      #expect(error(WebPFile.chunk("VP8X", cut)) == .corrupt("a short canvas header"), "\(count)")
    }
  }

  @Test("Chunks are read up to the length of the container, and one of odd length has a byte more")
  func chunks() throws {
    let image = lossless(5, 6)
    for count in 0...3 {
      #expect(
        try info(WebPFile.chunk("JUNK", [UInt8](repeating: 9, count: count)), image).storedSize.width == 5)
    }
    for (announced, isFound) in [
      (4 + image.count, true), (4 + 13, true), (4 + 12, false), (4 + 8, false), (4 + 7, false), (99, true),
    ] {
      let file = WebPFile.riff(image, announcing: announced)
      #expect(((try? ImageDecoder.info(of: file)) != nil) == isFound, "\(announced)")
    }
    let whole = WebPFile.riff(image)
    for count in 12..<whole.count - 1 {
      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.info(of: whole.prefix(count)) }
      #expect(error == (count < 20 ? .truncated : .corrupt("a damaged lossless header")), "\(count)")
    }
    #expect(try ImageDecoder.info(of: whole.dropLast()).storedSize.width == 5)
  }

  @Test("An animation is played as often as it says, or for ever")
  func plays() throws {
    let picture = try ImageEncoder.encode(Samples.flat(4, 2, [1, 2, 3]), as: .losslessWebP)
    let header = little((0, 3), (0, 3), (3, 3), (1, 3), (100, 3), (0, 1))
    let frame = WebPFile.chunk("ANMF", header + Array(picture[12...]))
    let canvas = WebPFile.canvas(PixelSize(width: 4, height: 2), flags: 0x02)
    for (content, plays) in [
      ([0, 0, 0, 0, 0, 0], nil), ([9, 9, 9, 9, 1, 0], 1), ([0, 0, 0, 0, 2, 1], 258),
    ] as [([UInt8], Int?)] {
      let file = WebPFile.riff(canvas + WebPFile.chunk("ANIM", content) + frame + frame)
      #expect(try AnimationReader(file).plays == plays)
    }
    // The first frame alone is looked at.
    #expect(try info(canvas, frame, WebPFile.chunk("ANMF", [])).isAnimated)
    for count in 0..<12 {
      #expect(
        error(canvas, WebPFile.chunk("ANMF", Array(header.prefix(count))))
          == .corrupt("a short frame header"), "\(count)")
    }
    for rest in [
      [], WebPFile.chunk("ALPH", [1]), WebPFile.chunk("VP8X", []), Array(picture[12...].prefix(7)),
    ] {
      #expect(error(canvas, WebPFile.chunk("ANMF", header + rest)) == .corrupt("a frame without an image"))
    }
  }

  @Test("The first frame of an animation is at its place, with the alpha that is behind its header")
  func firstFrame() throws {
    for (format, encoding) in [
      (Image.PixelFormat.rgb8, ImageEncoder.Encoding.webp()), (.rgba8, .webp()), (.rgba8, .losslessWebP),
    ] {
      let picture = try Samples.picture(7, 5, format)
      let whole = try ImageEncoder.encode(picture, as: encoding)
      // The canvas of the still image is no part of a frame.
      let chunks = whole[12...].starts(with: Array("VP8X".utf8)) ? Array(whole[30...]) : Array(whole[12...])
      for (x, y) in [(0, 0), (2, 0), (0, 4), (2, 4)] {
        let size = PixelSize(width: 7 + x, height: 5 + y)
        let header = little((x / 2, 3), (y / 2, 3), (6, 3), (4, 3), (100, 3), (0, 1))
        let file = WebPFile.riff(
          WebPFile.canvas(size, flags: 0x12) + WebPFile.chunk("ANIM", [0, 0, 0, 0, 0, 0])
            + WebPFile.chunk("ANMF", header + WebPFile.chunk("JUNK", [7]) + chunks))

        let image = try ImageDecoder.decode(file)

        #expect(image.size == size)
        let expected = try ImageDecoder.decode(whole)
        let part = try image.cropped(x: x, y: y, width: 7, height: 5)
        #expect(try part.visibleLikeness(to: expected) == 99, "\(format) \(x) \(y)")
        #expect(x == 0 || image.pixel(x: 0, y: 0)?.alpha == 0)
        for (width, height) in [(size.width - 1, size.height), (size.width, size.height - 1)] {
          var small = file
          small.replaceSubrange(24..<30, with: little((width - 1, 3), (height - 1, 3)))
          #expect(throws: ImageCodecError.corrupt("a frame outside of its canvas")) {
            try ImageDecoder.decode(small)
          }
        }
      }
    }
  }

  @Test("A written container has the flags of its chunks, and their lengths")
  func containers() throws {
    var metadata = ImageMetadata()
    let xmp =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:o='urn:o'><rdf:Description o:a='b'/></rdf:RDF>"
    var exif = ExifFile()
    exif.image = [exif.text(0x010F, "Maker")]
    let image = try Samples.picture(0x103, 5, .rgb8)
    let alpha = try Samples.picture(0x103, 5, .rgba8)
    var profiled = image
    profiled.colorSpace = .profile(try #require(.displayP3))
    for (picture, hasExif, hasXMP, flags) in [
      (image, true, false, 0x08), (image, false, true, 0x04), (alpha, true, true, 0x1C),
      (profiled, false, false, 0x20), (profiled, true, true, 0x2C),
    ] as [(Image, Bool, Bool, UInt8)] {
      metadata.exif = hasExif ? ExifData(bytes: exif.bytes) : nil
      metadata.xmp = hasXMP ? XMPData(bytes: Array(xmp.utf8)) : nil
      let file = try ImageEncoder.encode(picture, as: .losslessWebP, keeping: .descriptions, of: metadata)

      #expect(Array(file[12..<30]) == WebPFile.canvas(PixelSize(width: 0x103, height: 5), flags: flags))
      #expect(Array(file[..<12]) == WebPFile.riff([], announcing: file.count - 8), "\(flags)")
      let found = try ImageMetadata(of: file)
      #expect(
        (found.exif != nil) == hasExif && (found.xmp != nil) == hasXMP
          && (found.colorProfile != nil) == (flags & 0x20 != 0))
    }
    for (picture, flags) in [(image, 0x02), (alpha, 0x12)] as [(Image, UInt8)] {
      var writer = try AnimationWriter(as: .losslessWebP)
      try writer.append(AnimationFrame(image: picture, duration: .milliseconds(50)))
      let file = try writer.finish()
      #expect(Array(file[12..<30]) == WebPFile.canvas(PixelSize(width: 0x103, height: 5), flags: flags))
    }
  }
}
