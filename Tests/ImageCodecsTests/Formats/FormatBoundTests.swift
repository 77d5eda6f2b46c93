import ImageCodecs
import Testing

@Suite("Bounds of format detection")
struct FormatBoundTests {
  private static func box(_ length: Int, _ brands: String...) -> [UInt8] {
    var bytes = big(length, count: 4) + Array("ftyp".utf8)
    for (index, brand) in brands.enumerated() {
      bytes += Array(brand.utf8)
      if index == 0 { bytes += [0, 0, 0, 0] }
    }
    return bytes
  }

  @Test("A compatible brand counts if it lies in the box and in the first 64 bytes")
  func brands() {
    for (bytes, format) in [
      (Self.box(16, "mif1", "avif"), .heic), (Self.box(19, "mif1", "avif"), .heic),
      (Self.box(20, "mif1", "avif"), .avif),
      (Self.box(20, "mif1", "miaf", "avif"), .heic), (Self.box(24, "mif1", "miaf", "avif"), .avif),
      (Self.box(0, "mif1", "avif"), .heic), (Self.box(15, "msf1", "avis"), .heic),
      (Self.box(0x100_0010, "mif1", "avif"), .avif),
      (Self.box(64, "mif1") + [UInt8](repeating: 0x61, count: 44) + Array("avif".utf8), .avif),
      (Self.box(68, "mif1") + [UInt8](repeating: 0x61, count: 48) + Array("avif".utf8), .heic),
      (Array(Self.box(20, "mif1", "avif").dropLast()), .heic),
      (Array(Self.box(16, "heic").prefix(12)), .heic),
      (Self.box(20, "avif", "heic"), .avif), (Self.box(20, "abcd", "avif"), nil),
    ] as [([UInt8], ImageFormat?)] {
      #expect(ImageFormat(sniffing: bytes) == format, "\(bytes)")
    }
    var other = Self.box(20, "heic", "heic")
    other[7] = UInt8(ascii: "q")
    #expect(ImageFormat(sniffing: other) == nil)
  }

  @Test("The header of a file is read from its beginning, however short the file is")
  func headers() throws {
    let bmp = UncompressedFile.bmp(1, 1)
    #expect(bmp.count == 58 && bmp.count < ImageFormat.sniffingLength)
    #expect(try ImageDecoder.info(of: bmp).format == .bmp)
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.info(of: [0x42, 0x4D]) }
  }

  @Test("Each format has its own extension and MIME type")
  func names() {
    let extensions = [
      "jpg", "png", "webp", "gif", "heic", "avif", "ico", "bmp", "tiff", "jp2", "jxl", "mp4", "m4v", "mov",
    ]
    let types = [
      "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/avif",
      "image/vnd.microsoft.icon",
      "image/bmp", "image/tiff", "image/jp2", "image/jxl", "video/mp4", "video/x-m4v", "video/quicktime",
    ]
    #expect(ImageFormat.allCases.map(\.fileExtension) == extensions)
    #expect(ImageFormat.allCases.map(\.mimeType) == types)
    for (name, format) in [
      ("apng", .png), ("jpe", .jpeg), ("dib", .bmp), ("cur", .ico), ("heif", .heic), ("qt", .mov),
    ]
      as [(String, ImageFormat)]
    {
      #expect(ImageFormat(fileExtension: name) == format)
    }
    for (name, format) in [("image/x-png", .png), ("image/x-icon", .ico), ("image/heif", .heic)]
      as [(String, ImageFormat)]
    {
      #expect(ImageFormat(mimeType: name) == format)
    }
  }

  @Test("Formats can be animated, and decoded, as documented")
  func abilities() {
    let animated: Set<ImageFormat> = [.png, .webp, .gif]
    #expect(
      AnimationReader.formats.intersection([.jpeg, .png, .webp, .gif, .heic, .ico, .bmp, .tiff, .mp4])
        == animated)
    #expect(ImageDecoder.formats.isSuperset(of: animated.union([.jpeg, .ico, .bmp])))
    #expect(ImageDecoder.formats.isDisjoint(with: [.jpeg2000, .mp4, .m4v, .mov]))
  }

  @Test("A guess at a body follows its first characters, and is text only if all are printable")
  func hints() {
    for (body, hint) in [
      ("<!doctype html", ContentHint.html), ("<HEAD>", .html), ("<Body ", .html), ("<html", .html),
      ("<htm", .xml), ("<", .xml),
      ("\t<html", .html), ("\n\r\u{B}\u{C} {", .json), (" [", .json), ("a<html", .text), ("a{", .text),
      ("}", .text),
      ("~", .text), ("\u{80}", .text), ("a\t\n\r\u{B}\u{C}b", .text), (" ", .text), ("\u{7F}", .unknown),
      ("a\u{1F}", .unknown),
      ("\u{8}", .unknown), ("a\u{E}", .unknown), ("\u{FEFF}", .text), ("\u{FEFF}[", .json), ("BM", .text),
      ("B", .unknown),
      ("GIF89a", .text), ("GIF89a and more", .text), ("GIF89", .unknown), ("GIF88", .text),
      ("RIFF1234WEB", .unknown),
      ("RIFF1234WAV", .text), ("RIFF1234WEBP", .text), ("", .empty),
    ] {
      #expect(ContentHint(sniffing: body.utf8) == hint, "\(body.debugDescription)")
    }
    let long = String(repeating: "a", count: 64)
    #expect(ContentHint(sniffing: (long + "\u{1}").utf8) == .text)
    #expect(ContentHint(sniffing: (String(long.dropLast()) + "\u{1}").utf8) == .unknown)
    #expect(Set(ContentHint.allCases.map(\.description)).count == 6 && "\(ContentHint.empty)" == "no data")
  }
}
