import ImageCodecs
import Testing

@Suite("Incomplete files")
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
    let runs = UncompressedFile.bmp(
      3, 2, colors: [1, 1, 1, 0, 200, 100, 50, 0], runs: [3, 1, 0, 0, 1, 0, 2, 1, 0, 1])
    return [
      ("JPEG", try ImageEncoder.encode(image, as: .jpeg()), 2),
      ("gray JPEG", try ImageEncoder.encode(gray, as: .jpeg()), 2),
      ("progressive JPEG", try ImageEncoder.encode(image, as: .jpeg(progressive: true)), 2),
      ("JPEG of three scans", separate.bytes, 2), ("PNG", try ImageEncoder.encode(image, as: .png), 12),
      ("GIF", UncompressedFile.gif(40, 30), 1), ("BMP", Array(UncompressedFile.bmp(39, 30).dropLast(3)), 0),
      ("BMP of runs", runs, 2),
    ]
  }

  @Test("A file that lacks only its end decodes, unless incomplete files are refused")
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

  @Test("A truncated file never decodes to different pixels")
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

  @Test("A file cut within its pixels decodes partially with `acceptAnyPixels`")
  func anyPixels() throws {
    for (name, bytes, _) in try files() where bytes.count > 500 {
      let half = Array(bytes.prefix(bytes.count / 2 + 40))
      #expect(throws: ImageCodecError.truncated, "\(name)") { try ImageDecoder.decode(half) }

      let image = try ImageDecoder.decode(half, options: options(.acceptAnyPixels))

      #expect(try image == ImageDecoder.decodeAvailable(half).image, "\(name)")
    }
  }

  @Test("A damaged file decodes partially with `acceptAnyPixels` only")
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

  @Test("A progressive JPEG without its last scan throws `truncated`")
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

  @Test("A truncated animation plays its remaining frames if incomplete files are accepted")
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

  @Test("A WebP without its metadata decodes, but one without its orientation does not")
  func webP() throws {
    let image = try Samples.picture(40, 30, .rgb8)
    let file = try ImageEncoder.encode(image, as: .webp())
    let canvas = { (flags: UInt8, more: [UInt8]) in
      WebPFile.riff(WebPFile.canvas(image.size, flags: flags) + Array(file[12...]) + more)
    }
    let exif = Exif.data(orientation: 6, bigEndian: true)
    let upright = canvas(0x04, WebPFile.chunk("XMP ", [UInt8](repeating: 32, count: 100)))
    let turned = canvas(0x08, WebPFile.chunk("EXIF", exif))

    #expect(try ImageDecoder.decode(Array(upright.dropLast(60))) == ImageDecoder.decode(file))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(Array(turned.dropLast(55))) }
  }

  /// A PNG whose compressed data was changed, in chunks whose checksums are right.
  private func png(_ image: Image, _ change: ([UInt8]) -> [[UInt8]]) throws -> [UInt8] {
    let bytes = try ImageEncoder.encode(image, as: .png)
    let data = try #require(bytes.positions(of: Array("IDAT".utf8)).first)
    let count = bytes[data - 4..<data].reduce(0) { $0 << 8 | Int($1) }
    var file = PNGFile(width: image.width, height: image.height)
    for part in change(Array(bytes[data + 4..<data + 4 + count])) { file.append("IDAT", part) }
    file.end()
    return file.bytes
  }

  @Test("A PNG with a missing or wrong final checksum decodes, unless that is refused")
  func damagedEnd() throws {
    let image = try Samples.noise(40, 30, .rgb8)
    let plain = try ImageEncoder.encode(image, as: .png)
    var end = plain
    end[end.count - 1] ^= 1
    let files: [(String, [UInt8])] = [
      ("checksum of the end", end),
      ("no checksum of the data", try png(image) { [Array($0.dropLast(4))] }),
      ("half a checksum of the data", try png(image) { [Array($0.dropLast(2))] }),
      ("another checksum of the data", try png(image) { [Array($0.dropLast(4)), [1, 2, 3, 4]] }),
      ("no checksum of the chunk", Array(plain.dropLast(14))),
      ("no checksum of the chunk at all", Array(plain.dropLast(16))),
    ]
    for (name, bytes) in files {
      #expect(try ImageDecoder.decode(bytes).bytes == image.bytes, "\(name)")
      #expect(try ImageDecoder.decodeAvailable(bytes).isComplete, "\(name)")
    }
    // libpng does not read what is behind the last row in a chunk of its own.
    for (name, bytes) in files where name != "another checksum of the data" {
      #expect(throws: ImageCodecError.truncated, "\(name)") {
        try ImageDecoder.decode(bytes, options: options(.refuse))
      }
    }
    // With neither checksum right, the pixels may be others.
    var both = try png(image) { [Array($0.dropLast(4)) + [1, 2, 3, 4]] }
    both[both.count - 13] ^= 1
    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(both) }
    #expect(error?.kind == "corrupt")
    #expect(try !ImageDecoder.decodeAvailable(both).isComplete)
  }

  @Test("An interlaced PNG without its end decodes completely at all small sizes")
  func interlaced() throws {
    for side in [1, 2, 3, 4, 5, 8, 9] {
      let pixels = (0..<side).map { y in (0..<side).map { x in UInt8(x * 20 + y) } }
      let whole = PNGFile.interlaced(pixels)
      let image = try ImageDecoder.decode(whole)
      #expect(image.bytes == pixels.flatMap { $0 })

      #expect(try ImageDecoder.decode(Array(whole.dropLast(12))) == image, "\(side)")
      for missing in 13..<whole.count - 33 {
        if let part = try? ImageDecoder.decode(Array(whole.dropLast(missing))) {
          #expect(part == image, "\(side) \(missing)")
        }
      }
    }
  }

  @Test("A file with a wrong length in its header decodes if all pixels are present")
  func wrongNumbers() throws {
    let jpeg = try ImageEncoder.encode(Samples.picture(16, 16, .rgb8), as: .jpeg())
    for length in [0, 1] as [UInt8] {
      let comment: [UInt8] = [0xFF, 0xFE, 0, length]
      #expect(
        try ImageDecoder.decode(Array(jpeg[..<2]) + comment + Array(jpeg[2...])) == ImageDecoder.decode(jpeg))
    }
    var bmp = UncompressedFile.bmp(3, 2)
    let image = try ImageDecoder.decode(bmp)
    bmp.replaceSubrange(10..<14, with: [0, 0, 0, 0])
    #expect(try ImageDecoder.decode(bmp) == image)
  }

  @Test("A TIFF decodes without an unneeded field, but not without a needed one")
  func fields() throws {
    func file(_ tag: Int) -> [UInt8] {
      var bytes = TIFFFile().bytes
      let directory = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let count = Int(bytes[directory])
      // The last entry has the highest tag. The offsets of the parts are before it.
      let entry =
        little(tag, count: 2) + little(2, count: 2) + little(99, count: 4) + little(9_999_999, count: 4)
      bytes.insert(contentsOf: entry, at: directory + 2 + count * 12)
      bytes[directory] += 1
      return bytes
    }
    let whole = try ImageDecoder.decode(TIFFFile().bytes)

    for tag in [33_432, 65_000] { #expect(try ImageDecoder.decode(file(tag)) == whole, "\(tag)") }
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(file(347)) }
    #expect(throws: ImageCodecError.truncated) {
      try ImageDecoder.decode(file(65_000), options: options(.refuse))
    }
  }
}
