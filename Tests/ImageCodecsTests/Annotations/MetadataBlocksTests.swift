import ImageCodecs
import Testing

@Suite("Metadata in the parts of a file")
struct MetadataBlocksTests {
  private func metadata(_ file: [UInt8], maximum: Int? = nil) throws -> ImageMetadata {
    var limits = DecodingLimits()
    if let maximum { limits.maximumMetadataBytes = maximum }
    return try ImageMetadata(of: file, limits: limits)
  }

  private func png(_ chunks: (String, [UInt8])...) -> [UInt8] {
    PNGFile.file(1, 1, color: 0, before: chunks, rows: [[0]])
  }

  private func text(_ keyword: String, _ text: String) -> (String, [UInt8]) {
    ("tEXt", Array("\(keyword)\0\(text)".utf8))
  }

  private let exif = Exif.data(orientation: 6, bigEndian: true)
  private let xmp = Array(PhotographFile.xmp.utf8)
  private let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  /// The parts of each kind of file: Exif, XMP and a profile, of as many bytes as are counted.
  private func files() throws -> [(name: String, file: [UInt8], exif: Int, xmp: Int, profile: Int)] {
    let profile = Profiles.minimal()
    let size = PixelSize(width: 4, height: 2)
    let webp = try ImageEncoder.encode(Samples.picture(4, 2, .rgb8), as: .webp())
    var tiff = TIFFFile()
    tiff.profile = profile
    var boxes = try BoxesFile(Files.bytes("picture.avif"), brand: "avif")
    boxes.items[0].properties.append(BoxesFile.box("colr", Array("prof".utf8) + profile))
    boxes.items.append(.init(type: "Exif", data: [0, 0, 0, 0] + exif))
    return [
      (
        "JPEG",
        JPEGFile().bytes.addingToJPEG(
          Exif.segment(exif) + JPEGFile.segment(0xE1, xmpName + xmp)
            + Profiles.segment(profile[...], number: 1, of: 1)),
        exif.count + 6, xmp.count + xmpName.count, profile.count
      ),
      (
        "PNG",
        png(
          ("eXIf", exif), ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp),
          ("iCCP", Array("name\0\0".utf8) + Deflate.stored(profile))), exif.count, xmp.count, profile.count
      ),
      (
        "WebP",
        WebPFile.riff(
          WebPFile.canvas(size, flags: 0x2C) + WebPFile.chunk("ICCP", profile) + Array(webp[12...])
            + WebPFile.chunk("EXIF", exif) + WebPFile.chunk("XMP ", xmp)), exif.count, xmp.count,
        profile.count
      ),
      ("TIFF", tiff.bytes, 0, 0, profile.count), ("AVIF", boxes.bytes, exif.count + 4, 0, profile.count),
      (
        "JPEG XL",
        JPEGXLStream.file([
          ("Exif", [0, 0, 0, 0] + exif), ("xml ", xmp), ("jxlc", try Files.bytes("picture.jxl")),
        ]), exif.count,
        xmp.count, 0
      ),
    ]
  }

  @Test("A block of the largest size is read, and one of a byte more is left out")
  func limits() throws {
    for (name, file, exif, xmp, profile) in try files() {
      #expect(try metadata(file, maximum: .max) == metadata(file), "\(name)")
      #expect(
        try metadata(file, maximum: -1).xmp == nil && metadata(file, maximum: 0).colorProfile == nil,
        "\(name)")
      for (count, isThere) in [
        (exif, { $0.exif != nil }), (xmp, { $0.xmp != nil }), (profile, { $0.colorProfile != nil }),
      ] as [(Int, (ImageMetadata) -> Bool)] where count > 0 {
        #expect(try isThere(metadata(file, maximum: count)), "\(name) \(count)")
        #expect(try !isThere(metadata(file, maximum: count - 1)), "\(name) \(count)")
      }
    }
  }

  @Test("The first of several blocks is read")
  func twice() throws {
    let other = Exif.data(orientation: 3, bigEndian: false)
    let otherXMP = Array(PhotographFile.xmp.replacing("Tower", with: "Other").utf8)
    let webp = try ImageEncoder.encode(Samples.picture(4, 2, .rgb8), as: .webp())
    let picture = try Files.bytes("picture.jxl")
    let profiles = [Profiles.minimal(), Profiles.minimal(padding: 4)]
    let segments = [
      Exif.segment(exif), JPEGFile.segment(0xE1, xmpName + xmp), Exif.segment(other),
      JPEGFile.segment(0xE1, xmpName + otherXMP),
    ]
    let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
    let chunks = [("EXIF", exif), ("EXIF", other), ("XMP ", xmp), ("XMP ", otherXMP)]
    let canvas = WebPFile.canvas(PixelSize(width: 4, height: 2), flags: 0x2C)
    let colors = profiles.flatMap { WebPFile.chunk("ICCP", $0) } + webp[12...]
    let files = [
      JPEGFile().bytes.addingToJPEG(segments.flatMap { $0 }),
      png(("eXIf", exif), ("eXIf", other), ("iTXt", text + xmp), ("iTXt", text + otherXMP)),
      WebPFile.riff(canvas + colors + chunks.flatMap { WebPFile.chunk($0.0, $0.1) }),
      JPEGXLStream.file([
        ("Exif", [0, 0, 0, 2, 9, 9] + exif), ("Exif", [0, 0, 0, 0] + other), ("xml ", xmp),
        ("xml ", otherXMP), ("jxlc", picture),
      ]),
    ]
    for (index, file) in files.enumerated() {
      let found = try metadata(file)
      #expect(found.exif?.bytes == exif && found.xmp?.bytes == xmp, "\(index)")
      #expect(index != 2 || found.colorProfile?.bytes == profiles[0])
    }
  }

  @Test("The first 20,000 parts of a file are looked at")
  func parts() throws {
    let webp = try ImageEncoder.encode(Samples.picture(4, 2, .rgb8), as: .webp())
    for (count, isRead) in [(19_999, true), (20_000, false)] {
      let jpeg = JPEGFile().bytes.addingToJPEG(
        (0..<count).flatMap { _ in JPEGFile.segment(0xFE, []) } + Exif.segment(exif))
      // The header and the pixels are two of the chunks.
      var png = PNGFile(width: 1, height: 1, color: 0)
      for _ in 0..<count - 1 { png.append("abCd", []) }
      png.append("eXIf", exif)
      let chunks = (0..<count).flatMap { _ in WebPFile.chunk("JUNK", []) }
      let more = WebPFile.riff(chunks + WebPFile.chunk("EXIF", exif) + Array(webp[12...]))

      #expect(try metadata(jpeg).exif?.bytes == (isRead ? exif : nil))
      #expect(try metadata(png.bytes).exif?.bytes == (isRead ? exif : nil))
      #expect(try metadata(more).exif?.bytes == (isRead ? exif : nil))
    }
  }

  @Test("A chunk of a PNG with a wrong checksum is left out")
  func checksums() throws {
    for (type, payload) in [
      ("eXIf", exif), ("tEXt", Array("Title\0T".utf8)),
      ("iCCP", Array("name\0\0".utf8) + Deflate.stored(Profiles.minimal())),
    ] {
      for crcError: UInt32 in [0, 1] {
        var file = PNGFile(width: 1, height: 1, color: 0)
        file.append(type, payload, crcError: crcError)
        file.append(rows: [[0]])
        file.end()
        #expect(try metadata(file.bytes).isEmpty == (crcError == 1), "\(type)")
      }
    }
  }

  @Test("Texts of a PNG have a keyword of up to 79 bytes and one of three forms")
  func texts() throws {
    for (count, isRead) in [(0, true), (79, true), (80, false)] {
      let keyword = String(repeating: "k", count: count)
      #expect(try metadata(png(text(keyword, "T"))).texts == (isRead ? [keyword: "T"] : [:]), "\(count)")
    }
    let stored = Deflate.stored(Array("T".utf8))
    let forms: [(type: String, text: String, rest: [UInt8], expected: String?)] = [
      ("tEXt", "k", [], nil), ("tEXt", "k\0", [], ""), ("zTXt", "k\0\0", stored, "T"),
      ("zTXt", "k\0\0", [], nil),
      ("zTXt", "k\0", [], nil), ("zTXt", "k\0\0", Array(stored.dropLast()), nil),
      ("iTXt", "k\0\0\0en\0Kk\0T", [], "T"),
      ("iTXt", "k\0\u{1}\0en\0Kk\0", stored, "T"), ("iTXt", "k\0\u{2}\0\0\0T", [], "T"),
      ("iTXt", "k\0\0\0\0\0", [], ""),
      ("iTXt", "k\0\0\0\0", [], nil), ("iTXt", "k\0\0\0", [], nil), ("iTXt", "k\0", [], nil),
    ]
    for (type, text, rest, expected) in forms {
      #expect(try metadata(png((type, Array(text.utf8) + rest))).texts["k"] == expected, "\(type) \(text)")
    }
    #expect(try metadata(png(text("k", "first"), text("k", "second"))).texts == ["k": "first"])
  }

  @Test("A hundred texts are read, and the bytes of all are limited to four times those of one")
  func manyTexts() throws {
    let many = (0...100).map { text("k\($0)", "T") }
    let all = PNGFile.file(1, 1, color: 0, before: many, rows: [[0]])
    #expect(try metadata(all).texts.count == 100 && metadata(all).texts["k100"] == nil)

    let ten = (0..<6).map { text("k\($0)", "0123456789") }
    let file = PNGFile.file(1, 1, color: 0, before: ten + [text("empty", "")], rows: [[0]])
    #expect(try Set(metadata(file, maximum: 10).texts.keys) == ["k0", "k1", "k2", "k3", "empty"])
    #expect(try metadata(file, maximum: 9).texts == ["empty": ""])
    #expect(try metadata(file, maximum: 11).texts.count == 5)
    // Compressed bytes are counted if they are more than their content.
    let padded = ("zTXt", Array("z\0\0".utf8) + Deflate.stored([65]) + [UInt8](repeating: 0, count: 60))
    #expect(try metadata(png(padded, text("a", ""), text("b", "B")), maximum: 10).texts == ["a": ""])
    // The content of compressed texts is counted when it is decompressed, and again when it is kept.
    let zeros = (0..<3).map { ("zTXt", Array("z\($0)\0\0".utf8) + Deflate.bomb(ofZeros: 1_807)) }
    let bombs = PNGFile.file(1, 1, color: 0, before: zeros, rows: [[0]])
    #expect(
      try metadata(bombs, maximum: 1_807).texts.count == 2 && metadata(bombs, maximum: 1_806).texts.isEmpty)
  }

  @Test("Raw profiles are hexadecimal digits in the third line")
  func rawProfiles() throws {
    func hex(_ bytes: [UInt8], separator: String = "") -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
    }
    func found(_ keyword: String, _ text: String) throws -> ImageMetadata {
      try metadata(png(self.text("Raw profile type \(keyword)", text)))
    }
    let head = "\nname\n  9\n"
    for separator in ["", "\n", " ", "\t"] {
      #expect(try found("exif", head + hex(exif, separator: separator)).exif?.bytes == exif)
    }
    #expect(try found("exif", head + hex(exif).uppercased() + "\n").exif?.bytes == exif)
    #expect(try found("exif", head + hex(Array("Exif\0\0".utf8) + exif)).exif?.bytes == exif)
    #expect(try found("APP1", head + hex(exif)).exif?.bytes == exif)
    #expect(try found("APP1", head + hex(xmpName + xmp)).xmp?.bytes == xmp)
    #expect(try found("xmp", head + hex(xmp)).xmp?.bytes == xmp)
    #expect(try found("xmp", head + hex(xmpName + xmp)).xmp?.bytes == xmp)
    #expect(try found("iptc", head + hex(iptcSet(5, "A"))).title == "A")
    #expect(try found("iptc", head + hex(Array(PhotographFile.photoshop.dropFirst(14)))).credit == "Agency")
    #expect(try found("exif", head + hex(xmp)).isEmpty && found("icc", head + hex(exif)).exif == nil)
    for text in ["", "\nname\n  9", hex(exif), head + "xy" + hex(exif), head + hex(exif) + "g"] {
      #expect(try found("exif", text).isEmpty, "\(text.prefix(20))")
    }
    let both = png(
      ("eXIf", exif), text("Raw profile type exif", head + hex(Exif.data(orientation: 3, bigEndian: true))))
    #expect(try metadata(both).exif?.bytes == exif)
    let first = text("Raw profile type xmp", head + hex(xmp))
    let second = text(
      "Raw profile type xmp", head + hex(Array(PhotographFile.xmp.replacing("Tower", with: "X").utf8)))
    #expect(try metadata(png(first, second)).xmp?.bytes == xmp)
  }
}
