import ImageCodecs
import Testing

@Suite("`ImageFormat`")
struct ImageFormatTests {
  static let beginnings: [([UInt8], ImageFormat)] = [
    ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
    (PNGFile.signature, .png),
    (Array("GIF87a".utf8), .gif),
    (Array("GIF89a".utf8), .gif),
    (Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8), .webp),
    (box("avif"), .avif), (box("avis"), .avif),
    (box("heic"), .heic), (box("heix"), .heic), (box("hevc"), .heic), (box("hevx"), .heic),
    (box("heim"), .heic), (box("heis"), .heic),
    (box("mif1", compatible: ["mif1", "heic"]), .heic), (box("mif1", compatible: ["miaf", "avif"]), .avif),
    (box("mif1"), .heic),
    (box("msf1", compatible: ["avis"]), .avif), (box("msf1", compatible: ["hevc"]), .heic),
    (box("mp41"), .mp4), (box("mp42"), .mp4), (box("isom"), .mp4), (box("iso2"), .mp4), (box("iso5"), .mp4),
    (box("iso6"), .mp4), (box("avc1"), .mp4), (box("M4V "), .m4v), (box("M4VH"), .m4v), (box("M4VP"), .m4v),
    (box("qt  "), .mov),
    ([0x00, 0x00, 0x01, 0x00, 0x02], .ico),
    (Array("BM".utf8) + [0x10], .bmp),
    ([0x49, 0x49, 0x2A, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
    ([0x49, 0x49, 0x2B, 0x00], .tiff), ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
    ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 13, 10, 0x87, 10], .jpeg2000),
    ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
    ([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 13, 10, 0x87, 10], .jpegXL), ([0xFF, 0x0A, 0xFA], .jpegXL),
  ]

  @Test("A format is detected by its first bytes", arguments: beginnings)
  func sniffed(beginning: [UInt8], format: ImageFormat) {
    let zeros = [UInt8](repeating: 0, count: 100)

    #expect(ImageFormat(sniffing: beginning) == format)
    #expect(ImageFormat(sniffing: beginning + zeros) == format)
    #expect(ImageFormat(sniffing: (zeros + beginning)[100...]) == format)
  }

  @Test("The detection samples cover every format")
  func allCases() {
    #expect(Set(ImageFormatTests.beginnings.map(\.1)) == Set(ImageFormat.allCases))
  }

  @Test(
    "Unknown first bytes have no format",
    arguments: [
      [], [0xFF], [0xFF, 0xD8], Array("GIF88a".utf8), Array("GIF8".utf8), Array("RIFF....WAVE".utf8),
      Array("RIFF".utf8), box("abcd"), Array(box("heic").prefix(11)), Array("<html>".utf8),
    ])
  func unknown(bytes: [UInt8]) {
    #expect(ImageFormat(sniffing: bytes) == nil)
  }

  @Test("A format is found by its file extension and its MIME type", arguments: ImageFormat.allCases)
  func names(format: ImageFormat) {
    #expect(ImageFormat(fileExtension: format.fileExtension) == format)
    #expect(ImageFormat(fileExtension: format.fileExtension.uppercased()) == format)
    #expect(ImageFormat(mimeType: format.mimeType) == format)
    #expect(ImageFormat(mimeType: format.mimeType.uppercased()) == format)
  }

  @Test(
    "An unknown file extension or MIME type has no format",
    arguments: ["", ".png", "txt", "image", "text/html"])
  func otherNames(name: String) {
    #expect(ImageFormat(fileExtension: name) == nil)
    #expect(ImageFormat(mimeType: name) == nil)
  }

  @Test(
    "A body that is no image throws an error with a hint about its content",
    arguments: [
      ("", ContentHint.empty), ("  <!DOCTYPE HTML><p>", .html), ("\u{FEFF}<html>", .html),
      ("{\"error\":404}", .json),
      ("\n[1,2]", .json), ("<?xml version=\"1.0\"?><svg/>", .xml), ("<svg xmlns=\"", .xml),
      ("Not found", .text),
      ("\u{1}\u{2}\u{3}", .unknown),
    ])
  func hints(body: String, hint: ContentHint) {
    #expect(ContentHint(sniffing: body.utf8) == hint)
    #expect(throws: ImageCodecError.notAnImage(hint)) { try ImageDecoder.decode(Array(body.utf8)) }
    #expect(throws: ImageCodecError.notAnImage(hint)) { try ImageDecoder.info(of: Array(body.utf8)) }
  }

  @Test(
    "The first bytes of an image do not look like text",
    arguments: [
      [0xFF, 0xD8], [0xFF], Array(PNGFile.signature.dropLast()), Array("GIF8".utf8), Array("RIFF".utf8),
    ])
  func begun(bytes: [UInt8]) {
    #expect(ContentHint(sniffing: bytes) == .unknown)
    #expect(throws: ImageCodecError.notAnImage(.unknown)) { try ImageDecoder.info(of: bytes) }
  }

  @Test("A recognized format without a decoder throws `unsupportedFormat`")
  func unsupported() {
    for (bytes, format) in ImageFormatTests.beginnings where !ImageDecoder.formats.contains(format) {
      #expect(throws: ImageCodecError.unsupportedFormat(format)) { try ImageDecoder.decode(bytes) }
    }
  }

  private static func box(_ major: String, compatible: [String] = []) -> [UInt8] {
    let brands = compatible.flatMap { Array($0.utf8) }
    return big(16 + brands.count, count: 4) + Array("ftyp".utf8) + Array(major.utf8) + [0, 0, 0, 0] + brands
  }
}
