import ImageCodecs
import Testing

@Suite("A file without its end")
struct IncompleteFileTests {
  private func options(_ rule: DecodingLimits.Incomplete) -> DecodingOptions {
    var options = DecodingOptions()
    options.limits.incomplete = rule
    return options
  }

  /// Files, and the number of bytes at their ends that are no pixels.
  private func files() throws -> [(name: String, bytes: [UInt8], end: Int)] {
    let image = try Samples.noise(40, 30, .rgb8)
    let gray = try Samples.noise(40, 30, .gray8)
    var separate = JPEGFile(levels: [100, 200, 50])
    separate.scansSeparately = true
    let palette: [UInt8] = [1, 1, 1, 0, 200, 100, 50, 0]
    let header =
      Array("BM".utf8) + little(72, count: 4) + [0, 0, 0, 0] + little(62, count: 4) + little(40, count: 4)
      + little(3, count: 4) + little(2, count: 4) + little(1, count: 2) + little(8, count: 2)
      + little(1, count: 4)
      + [UInt8](repeating: 0, count: 12) + little(2, count: 4) + [0, 0, 0, 0]
    return [
      ("JPEG", try ImageEncoder.encode(image, as: .jpeg()), 2),
      ("gray JPEG", try ImageEncoder.encode(gray, as: .jpeg()), 2),
      ("progressive JPEG", try ImageEncoder.encode(image, as: .jpeg(progressive: true)), 2),
      ("JPEG of three scans", separate.bytes, 2), ("PNG", try ImageEncoder.encode(image, as: .png), 12),
      ("GIF", UncompressedFile.gif(40, 30), 1), ("BMP", Array(UncompressedFile.bmp(39, 30).dropLast(3)), 0),
      ("BMP of runs", header + palette + [3, 1, 0, 0, 1, 0, 2, 1, 0, 1], 2),
    ]
  }

  @Test("but with all pixels is shown, unless that is refused")
  func allPixels() throws {
    for (name, bytes, end) in try files() {
      let whole = try ImageDecoder.decode(bytes)
      for missing in 0...end {
        let cut = Array(bytes.dropLast(missing))
        #expect(try ImageDecoder.decode(cut) == whole, "\(name) \(missing)")
        #expect(
          try ImageDecoder.decode(cut, options: options(.acceptAnyPixels)) == whole, "\(name) \(missing)")
        if missing > 0 {
          #expect(throws: ImageCodecError.truncated, "\(name) \(missing)") {
            try ImageDecoder.decode(cut, options: options(.refuse))
          }
        }
      }
    }
  }

  @Test("is never shown with other pixels, wherever it ends")
  func noOtherPixels() throws {
    for (name, bytes, end) in try files() {
      let whole = try ImageDecoder.decode(bytes)
      var refused = 0
      for missing in end..<bytes.count {
        do {
          #expect(try ImageDecoder.decode(Array(bytes.dropLast(missing))) == whole, "\(name) \(missing)")
        } catch {
          refused += 1
        }
      }
      // A few bits behind the last pixel fill its byte.
      #expect(refused >= bytes.count - end - 8, "\(name)")
    }
  }

  @Test("and without pixels is shown as far as it goes, if that is accepted")
  func anyPixels() throws {
    for (name, bytes, _) in try files() where bytes.count > 500 {
      let half = Array(bytes.prefix(bytes.count / 2 + 40))
      #expect(throws: ImageCodecError.truncated, "\(name)") { try ImageDecoder.decode(half) }

      let image = try ImageDecoder.decode(half, options: options(.acceptAnyPixels))

      #expect(try image == ImageDecoder.decodeAvailable(half).image, "\(name)")
    }
  }

  @Test("that is damaged is shown as far as it goes, if that is accepted")
  func damage() throws {
    var bytes = try ImageEncoder.encode(Samples.noise(40, 30, .rgb8), as: .png)
    bytes[bytes.count - 1_000] ^= 0xFF
    for rule in [DecodingLimits.Incomplete.refuse, .acceptAllPixels] {
      let error = #expect(throws: ImageCodecError.self) {
        try ImageDecoder.decode(bytes, options: options(rule))
      }
      #expect(error?.kind == "corrupt")
    }
    #expect(try ImageDecoder.decode(bytes, options: options(.acceptAnyPixels)).width == 40)
    #expect(throws: ImageCodecError.notAnImage(.text)) {
      try ImageDecoder.decode(Array("no image at all".utf8), options: options(.acceptAnyPixels))
    }
  }

  @Test("that is progressive and lacks its last scan has not all pixels")
  func missingScan() throws {
    let bytes = try ImageEncoder.encode(Samples.noise(40, 30, .rgb8), as: .jpeg(progressive: true))
    let last = try #require(bytes.positions(of: [0xFF, 0xDA]).last)

    for count in [last, last + 1, last + 8, last + 14] {
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(Array(bytes.prefix(count))) }
    }
    var separate = JPEGFile(levels: [100, 200, 50])
    separate.scansSeparately = true
    let third = try #require(separate.bytes.positions(of: [0xFF, 0xDA]).last)
    #expect(throws: ImageCodecError.truncated) {
      try ImageDecoder.decode(Array(separate.bytes.prefix(third)))
    }
  }

  @Test("that is an animation plays the frames that are there")
  func animation() throws {
    let bytes = try Files.bytes("disposed.gif")
    let frames = { (bytes: [UInt8], rule: DecodingLimits.Incomplete) throws -> Int in
      let reader = try AnimationReader(bytes, options: options(rule))
      var count = 0
      while try reader.next() != nil { count += 1 }
      return count
    }
    let all = try frames(bytes, .refuse)
    #expect(all > 2)

    let cut = Array(bytes.dropLast())
    #expect(try frames(cut, .acceptAllPixels) == all && frames(cut, .acceptAnyPixels) == all)
    #expect(throws: ImageCodecError.truncated) { try frames(cut, .refuse) }
    let half = Array(bytes.dropLast(12))
    #expect(throws: ImageCodecError.truncated) { try frames(half, .acceptAllPixels) }
    #expect(try frames(half, .acceptAnyPixels) == all - 1)
  }

  @Test("that is a WebP lacks metadata, which does not matter, or its orientation, which does")
  func webP() throws {
    let image = try Samples.picture(40, 30, .rgb8)
    let file = try ImageEncoder.encode(image, as: .webp())
    let canvas = { (flags: UInt8, more: [UInt8]) in
      WebPFile.riff(WebPFile.canvas(image.size, flags: flags) + file[12...] + more)
    }
    let exif = Exif.data(orientation: 6, bigEndian: true)
    let upright = canvas(0x04, WebPFile.chunk("XMP ", [UInt8](repeating: 32, count: 100)))
    let turned = canvas(0x08, WebPFile.chunk("EXIF", exif))

    #expect(try ImageDecoder.decode(Array(upright.dropLast(60))) == ImageDecoder.decode(file))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(Array(turned.dropLast(55))) }
  }
}
