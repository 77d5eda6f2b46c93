import ImageCodecs
import Testing

@Suite("Random mutations")
struct MutationTests {
  static let seeds: [(name: String, make: @Sendable () throws -> [UInt8])] = [
    ("JPEG", { try file(.jpeg(quality: 0.5), .rgb8).addingToJPEG(exif) }),
    ("progressive JPEG", { try file(.jpeg(quality: 0.5, progressive: true), .rgb8) }),
    ("JPEG of inks", { JPEGFile(levels: [10, 90, 200, 30], adobeTransform: 2).bytes }),
    ("PNG", { Exif.add(Exif.data(orientation: 6, bigEndian: false), toPNG: try file(.png, .rgba8)) }),
    ("interlaced PNG", { PNGFile.interlaced((0..<11).map { y in (0..<13).map { UInt8($0 * y) } }) }),
    ("animated PNG", { APNGFile.sample().bytes }),
    ("WebP", { try file(.webp(quality: 0.5), .rgb8) }),
    ("transparent WebP", { try file(.webp(quality: 0.5), .rgba8) }),
    ("lossless WebP", { try file(.losslessWebP, .rgba8) }),
    ("animated WebP", { try animation() }),
    ("GIF", { try Files.bytes("transparent.gif") }),
    ("animated GIF", { try Files.bytes("disposed.gif") }),
    ("AVIF", { try Files.bytes("orientation-5.avif") }),
    ("transparent AVIF", { try Files.bytes("transparent.avif") }),
    ("HEIC", { try Files.bytes("picture.heic") }),
    ("JPEG XL", { try Files.bytes("picture.jxl") }),
    ("lossless JPEG XL", { try file(.losslessJPEGXL(), .rgba8) }),
    ("JPEG XL of a JPEG", { try Files.bytes("orientation-5.jxl") }),
    ("animated JPEG XL", { try Files.bytes("animated.jxl") }),
    ("BMP", { try Files.bytes("small.bmp") }),
    ("BMP of runs", { try Files.bytes("runs.bmp") }),
    ("ICO", { try Files.bytes("bitmap.ico") }),
    ("TIFF", { try Files.bytes("plain.tiff") }),
    ("tiled TIFF", { try Files.bytes("tiled.tiff") }),
    ("fax", { try Files.bytes("fax.tiff") }),
    ("JPEG with a profile", { try Files.bytes("wide.jpg") }),
    ("JPEG with a gain map", { try Files.bytes("gain-map-xmp.jpg") }),
    ("JPEG with a gain map after ISO 21496-1", { try Files.bytes("gain-map-iso.jpg") }),
  ]

  @Test("A randomly mutated file ends in an error or an image within the limits", arguments: seeds.indices)
  func mutations(index: Int) throws {
    let seed = MutationTests.seeds[index]
    let original = try seed.make()
    var random = SeededRandom(seed: UInt64(index + 1))
    var options = DecodingOptions()
    options.limits.maximumPixels = 100_000
    options.limits.maximumWorkingBytes = 8 << 20
    options.keepsGainMap = true
    var outcomes: [String: Int] = [:]

    for round in 0..<450 {
      let bytes = mutated(original, &random, isPNG: seed.name.hasSuffix("PNG") && round.isMultiple(of: 2))
      options.target = round.isMultiple(of: 3) ? ResizeTarget(width: 7, height: 5, crops: true) : nil
      do {
        let image =
          round.isMultiple(of: 4)
          ? try ImageDecoder.decodeAvailable(bytes, options: options).image
          : try ImageDecoder.decode(bytes, options: options)
        _ = try? frames(bytes, options)
        #expect(image.width * image.height <= 100_000)
        #expect(image.byteCount == image.width * image.height * image.pixelFormat.bytesPerPixel)
        outcomes["image", default: 0] += 1
      } catch {
        outcomes["error", default: 0] += 1
      }
    }

    // Were one of them never to happen, the mutations would be testing nothing.
    #expect(outcomes["image", default: 0] > 0, "\(seed.name)")
    #expect(outcomes["error", default: 0] > 0, "\(seed.name)")
  }

  private func frames(_ bytes: [UInt8], _ options: DecodingOptions) throws {
    let reader = try AnimationReader(bytes, options: options)
    while let frame = try reader.next() { #expect(frame.image.width > 0) }
  }

  private func mutated(_ original: [UInt8], _ random: inout SeededRandom, isPNG: Bool) -> [UInt8] {
    var bytes = original
    for _ in 0...random.below(4) {
      let position = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[position] = random.byte()
      case 1: bytes[position] = [0x00, 0xFF, 0x7F, 0x80][random.below(4)]
      case 2: bytes.removeSubrange(position..<min(position + 1 + random.below(8), bytes.count))
      case 3: bytes.insert(contentsOf: bytes[..<min(random.below(16), bytes.count)], at: position)
      default: bytes[position] ^= 1 << UInt8(random.below(8))
      }
      if bytes.isEmpty { return bytes }
    }
    return isPNG ? withRightChecksums(bytes) : bytes
  }

  /// So that changes get past the checksums.
  private func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard position + 12 + length <= bytes.count else { break }
      let sum = Checksum.crc(Array(bytes[position + 4..<position + 8 + length]))
      bytes.replaceSubrange(position + 8 + length..<position + 12 + length, with: big(Int(sum), count: 4))
      position += 12 + length
    }
    return bytes
  }

  private static var exif: [UInt8] { Exif.segment(Exif.data(orientation: 8, bigEndian: true)) }

  private static func file(_ encoding: ImageEncoder.Encoding, _ pixelFormat: Image.PixelFormat) throws
    -> [UInt8]
  {
    try ImageEncoder.encode(Samples.picture(37, 23, pixelFormat), as: encoding)
  }

  private static func animation() throws -> [UInt8] {
    let frame = try Samples.picture(16, 12, .rgba8)
    return WebPFile.animation(
      canvas: PixelSize(width: 20, height: 20), frame: try ImageEncoder.encode(frame, as: .losslessWebP),
      x: 2,
      y: 4, frameSize: frame.size)
  }
}
