import ImageCodecs

enum Exif {
  /// EXIF data with an orientation among other tags.
  static func data(orientation: Int, bigEndian: Bool, type: Int = 3, count: Int = 1) -> [UInt8] {
    let number = { (value: Int, count: Int) in
      bigEndian ? big(value, count: count) : little(value, count: count)
    }
    let entry = { (tag: Int, type: Int, count: Int, value: [UInt8]) in
      number(tag, 2) + number(type, 2) + number(count, 4) + value
        + [UInt8](repeating: 0, count: 4 - value.count)
    }
    let entries = [
      entry(0x0100, 4, 1, number(640, 4)),
      entry(0x0112, type, count, number(orientation, type == 4 || type == 9 ? 4 : 2)),
      entry(0x011A, 5, 1, number(8, 4)),
    ]
    return Array((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(entries.count, 2)
      + entries.flatMap { $0 } + number(0, 4)
  }

  /// As a JPEG carries it.
  static func segment(_ data: [UInt8]) -> [UInt8] { JPEGFile.segment(0xE1, Array("Exif\0\0".utf8) + data) }

  /// As a PNG carries it: a chunk behind the header.
  static func add(_ data: [UInt8], toPNG file: [UInt8]) -> [UInt8] {
    let chunk = Array("eXIf".utf8) + data
    let bytes = big(data.count, count: 4) + chunk + big(Int(Checksum.crc(chunk)), count: 4)
    return Array(file[..<33]) + bytes + Array(file[33...])
  }
}

enum WebPFile {
  static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(payload.count, count: 4) + payload + (payload.count % 2 == 1 ? [0] : [])
  }

  static func riff(_ chunks: [UInt8], announcing count: Int? = nil) -> [UInt8] {
    Array("RIFF".utf8) + little(count ?? chunks.count + 4, count: 4) + Array("WEBP".utf8) + chunks
  }

  static func canvas(_ size: PixelSize, flags: UInt8) -> [UInt8] {
    chunk("VP8X", [flags, 0, 0, 0] + little(size.width - 1, count: 3) + little(size.height - 1, count: 3))
  }

  /// A still image with EXIF data behind it.
  static func adding(exif: [UInt8], to file: [UInt8], size: PixelSize, hasAlpha: Bool) -> [UInt8] {
    riff(canvas(size, flags: 0x08 | (hasAlpha ? 0x10 : 0)) + Array(file[12...]) + chunk("EXIF", exif))
  }

  /// An animation with one frame somewhere on its canvas.
  static func animation(canvas size: PixelSize, frame file: [UInt8], x: Int, y: Int, frameSize: PixelSize)
    -> [UInt8]
  {
    let header = little(
      (x / 2, 3), (y / 2, 3), (frameSize.width - 1, 3), (frameSize.height - 1, 3), (100, 3), (0, 1))
    let frame = chunk("ANMF", header + Array(file[12...]))
    return riff(canvas(size, flags: 0x12) + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frame)
  }
}

enum Profiles {
  /// The least that libpng believes to be a profile. It wants one that does not compress to almost nothing.
  static func minimal(_ space: String = "RGB ", padding: Int = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 244 + padding)
    bytes.replaceSubrange(0..<4, with: big(bytes.count, count: 4))
    bytes[8] = 2
    bytes.replaceSubrange(12..<16, with: "mntr".utf8)
    bytes.replaceSubrange(16..<20, with: space.utf8)
    bytes.replaceSubrange(20..<24, with: "XYZ ".utf8)
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    bytes.replaceSubrange(68..<80, with: [0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D])
    bytes[131] = 1
    bytes.replaceSubrange(132..<144, with: Array("cprt".utf8) + big(144, count: 4) + big(100, count: 4))
    for index in 144..<244 { bytes[index] = UInt8(index * index % 251) }
    return bytes
  }

  /// Of gray in linear light.
  static let linearGray: [UInt8] = {
    var bytes = minimal("GRAY")
    bytes.replaceSubrange(132..<136, with: "kTRC".utf8)
    bytes.replaceSubrange(144..<158, with: Array("curv".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 1, 0])
    return bytes
  }()

  /// Each level of linear light in sRGB, as that of a gray image is converted.
  static let light: [UInt8] = {
    let colors = ICCProfile(bytes: linearGray).map { Image.ColorSpace.profile($0) }
    let image = try? Image(
      bytes: Array(0...255), width: 256, height: 1, pixelFormat: .gray8, colorSpace: colors ?? .untagged)
    return (try? image?.convertedToSRGB().bytes) ?? []
  }()

  /// Whether a level is that of linear light in sRGB, but for one.
  static func isLight(_ level: UInt8, of linear: UInt8) -> Bool {
    abs(Int(level) - Int(light[Int(linear)])) <= 1
  }

  /// A part as a JPEG carries it.
  static func segment(_ part: ArraySlice<UInt8>, number: UInt8, of count: UInt8) -> [UInt8] {
    JPEGFile.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [number, count] + part)
  }
}
