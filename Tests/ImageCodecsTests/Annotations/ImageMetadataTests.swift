import ImageCodecs
import Testing

@Suite("Image metadata")
struct ImageMetadataTests {
  @Test("Exif, XMP and IPTC of a JPEG become properties with types", arguments: [true, false])
  func jpeg(isBigEndian: Bool) throws {
    let metadata = try ImageMetadata(of: PhotographFile.jpeg(JPEGFile().bytes, isBigEndian: isBigEndian))

    #expect(metadata.orientation == .right)
    #expect(metadata.camera.make == "Maker")
    #expect(metadata.camera.model == "Model 7")
    #expect(metadata.camera.serialNumber == "SN-12345")
    #expect(metadata.lens.model == "50 mm")
    #expect(metadata.exposure.time == Fraction(1, 250))
    #expect(metadata.exposure.fNumber == 2.8)
    #expect(metadata.exposure.sensitivity == 400)
    #expect(metadata.exposure.flashFired == true)
    #expect(metadata.exposure.focalLength == 50)
    #expect(metadata.exposure.focalLengthIn35mmFilm == 75)
    #expect(metadata.taken?.description == "2024-05-01T12:30:15.25-03:30")
    #expect(metadata.modified?.description == "2024-05-02T08:00:01")
    #expect(metadata.digitized == nil)
    #expect(metadata.title == "Tower & sea")
    #expect(metadata.caption == "A lighthouse")
    #expect(metadata.keywords == ["coast", "night"])
    #expect(metadata.creators == ["Ada L."])
    #expect(metadata.copyright == "© IPTC")
    #expect(metadata.credit == "Agency")
    #expect(metadata.city == "Sydney")
    #expect(metadata.rating == 4)
    #expect(metadata.rightsPage == "https://example.com/rights")
    #expect(metadata.software == "Firmware 1.0")
  }

  @Test("A position is in degrees and meters, negative in the south, the west and below the sea")
  func location() throws {
    let location = try #require(try ImageMetadata(of: PhotographFile.jpeg(JPEGFile().bytes)).location)

    #expect(abs(location.latitude - -33.8599) < 1e-9)
    #expect(abs(location.longitude - 151.21111111) < 1e-8)
    #expect(location.altitude == -12.5)
    #expect(location.time?.description == "2024-05-01T02:30:15.25Z")
  }

  @Test("A position beyond the poles, or without a longitude, is none")
  func noLocation() throws {
    var file = ExifFile.photograph(isBigEndian: true)
    file.position[1] = file.fractions(0x0002, [(91, 1), (0, 1), (0, 1)])
    #expect(try ImageMetadata(of: JPEGFile().bytes.addingToJPEG(Exif.segment(file.bytes))).location == nil)

    file = ExifFile.photograph(isBigEndian: true)
    file.position.removeAll { $0.tag == 0x0004 }
    #expect(try ImageMetadata(of: JPEGFile().bytes.addingToJPEG(Exif.segment(file.bytes))).location == nil)
  }

  @Test("The blocks and texts of a PNG are read, compressed or not")
  func png() throws {
    let exif = ExifFile.photograph(isBigEndian: true).bytes
    let profile = try #require(ICCProfile.displayP3).bytes
    let file = PNGFile.file(
      1, 1, color: 0,
      before: [
        ("iCCP", Array("P3\0\0".utf8) + Deflate.stored(profile)), ("eXIf", exif),
        (
          "iTXt",
          Array("XML:com.adobe.xmp\0".utf8) + [1, 0, 0, 0] + Deflate.stored(Array(PhotographFile.xmp.utf8))
        ),
        ("tEXt", Array("Author\0".utf8) + [0x41, 0xE9]),
        ("zTXt", Array("Software\0\0".utf8) + Deflate.stored(Array("GIMP".utf8))),
        ("tEXt", Array("Raw profile type iptc\0\niptc\n      99\n".utf8) + hex(PhotographFile.iptc)),
      ], rows: [[0]])
    let metadata = try ImageMetadata(of: file)

    #expect(metadata.exif?.bytes == exif)
    #expect(metadata.xmp?.bytes == Array(PhotographFile.xmp.utf8))
    #expect(metadata.iptc?.bytes == PhotographFile.iptc)
    #expect(metadata.colorProfile?.bytes == profile)
    #expect(metadata.texts == ["Author": "Aé", "Software": "GIMP"])
  }

  @Test("Compressed metadata above the limit is left out, and the rest is read")
  func bomb() throws {
    let bomb = Deflate.bomb(ofZeros: 5_000_000)
    let file = PNGFile.file(
      1, 1, color: 0,
      before: [
        ("zTXt", Array("Comment\0\0".utf8) + bomb),
        ("zTXt", Array("Title\0\0".utf8) + Deflate.stored(Array("T".utf8))),
      ], rows: [[0]])

    #expect(try ImageMetadata(of: file).texts == ["Title": "T"])
  }

  @Test("The chunks of a WebP are read")
  func webp() throws {
    let size = PixelSize(width: 4, height: 2)
    let plain = try ImageEncoder.encode(Samples.picture(4, 2, .rgb8), as: .webp())
    let exif = ExifFile.photograph(isBigEndian: false).bytes
    let file = WebPFile.riff(
      WebPFile.canvas(size, flags: 0x0C) + Array(plain[12...])
        + WebPFile.chunk("EXIF", Array("Exif\0\0".utf8) + exif)
        + WebPFile.chunk("XMP ", Array(PhotographFile.xmp.utf8)))
    let metadata = try ImageMetadata(of: file)

    #expect(metadata.exif?.bytes == exif)
    #expect(metadata.title == "Tower & sea")
  }

  @Test("The tags of a TIFF are its Exif data, and XMP and IPTC are tags of it")
  func tiff() throws {
    for isBigEndian in [true, false] {
      var file = ExifFile.photograph(isBigEndian: isBigEndian)
      file.image += [
        .init(tag: 700, type: 1, count: PhotographFile.xmp.utf8.count, bytes: Array(PhotographFile.xmp.utf8)),
        .init(tag: 33_723, type: 7, count: PhotographFile.iptc.count, bytes: PhotographFile.iptc),
      ]
      let metadata = try ImageMetadata(of: file.bytes)

      #expect(metadata.camera.make == "Maker")
      #expect(metadata.exposure.fNumber == 2.8)
      #expect(metadata.exif?.bytes == [])
      #expect(metadata.keywords == ["coast", "night"])
      #expect(metadata.credit == "Agency")
    }
  }

  @Test("Formats without metadata have none, and other files are an error")
  func others() throws {
    #expect(try ImageMetadata(of: Files.smallest(.gif)).isEmpty)
    #expect(throws: ImageCodecError.notAnImage(.html)) {
      try ImageMetadata(of: Array("<!doctype html>".utf8))
    }
    var limits = DecodingLimits()
    limits.maximumEncodedBytes = 10
    #expect(throws: ImageCodecError.limitExceeded(.encodedBytes(10))) {
      try ImageMetadata(of: JPEGFile().bytes, limits: limits)
    }
  }

  @Test("Damaged metadata is read or left out without a trap, in a thousand variants of each file")
  func damaged() throws {
    let jpeg = PhotographFile.jpeg(JPEGFile().bytes)
    let tiff = ExifFile.photograph(isBigEndian: false).bytes
    var files = [jpeg, tiff]
    let image = try Samples.picture(4, 2, .rgb8)
    let metadata = try ImageMetadata(of: jpeg)
    for encoding in [ImageEncoder.Encoding.png, .webp(), .avif()] {
      files.append(try ImageEncoder.encode(image, as: encoding, keeping: [.all, .location], of: metadata))
    }
    var random = SeededRandom(seed: 47)
    var read = 0
    for file in files {
      for _ in 0..<1_000 {
        var changed = file
        for _ in 0...random.below(4) { changed[random.below(changed.count)] = random.byte() }
        if random.below(4) == 0 { changed.removeLast(random.below(changed.count)) }
        guard let found = try? ImageMetadata(of: changed), !found.isEmpty else { continue }
        read += 1
        _ = (found.taken, found.location, found.exposure, found.keywords, found.exif?.userComment)
        _ = try ImageEncoder.encode(image, as: .jpeg(), keeping: .all, of: found)
      }
    }
    #expect(read > 2_000)
  }

  private func hex(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) }
  }
}
