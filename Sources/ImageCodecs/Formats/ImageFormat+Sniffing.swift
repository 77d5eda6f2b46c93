extension ImageFormat {
  /// The largest number of bytes that sniffing reads. Most formats need fewer.
  public static let sniffingLength = 64

  /// Detects the format from the first bytes. `nil` for other formats, or too few bytes.
  public init?(sniffing prefix: some Sequence<UInt8>) {
    let bytes = Array(prefix.prefix(ImageFormat.sniffingLength))
    guard let format = ImageFormat.signed(bytes) ?? ImageFormat.boxed(bytes) else { return nil }
    self = format
  }

  private static func signed(_ bytes: [UInt8]) -> ImageFormat? {
    if bytes.starts(with: "RIFF".utf8) {
      return bytes.dropFirst(8).starts(with: "WEBP".utf8) ? .webp : nil
    }
    return signatures.first { bytes.starts(with: $0.bytes) }?.format
  }

  private static let signatures: [(bytes: [UInt8], format: ImageFormat)] = [
    ([0xFF, 0xD8, 0xFF], .jpeg),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
    (Array("GIF87a".utf8), .gif),
    (Array("GIF89a".utf8), .gif),
    ([0x00, 0x00, 0x01, 0x00], .ico),
    ([0x00, 0x00, 0x02, 0x00], .ico),
    (Array("BM".utf8), .bmp),
    ([0x49, 0x49, 0x2A, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2A], .tiff),
    // BigTIFF.
    ([0x49, 0x49, 0x2B, 0x00], .tiff),
    ([0x4D, 0x4D, 0x00, 0x2B], .tiff),
    ([0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpeg2000),
    ([0xFF, 0x4F, 0xFF, 0x51], .jpeg2000),
    ([0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A], .jpegXL),
    ([0xFF, 0x0A], .jpegXL),
  ]

  /// Files made of boxes name their brand in the first one.
  private static func boxed(_ bytes: [UInt8]) -> ImageFormat? {
    guard bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    let length = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let major = brand(bytes[8..<12])
    guard major == "mif1" || major == "msf1" else { return brands[major] }

    // The generic brand of the family. A compatible brand names the codec.
    let end = min(max(length, 16), bytes.count)
    for start in stride(from: 16, through: end - 4, by: 4) {
      if let format = brands[brand(bytes[start..<start + 4])] { return format }
    }
    return .heic
  }

  private static func brand(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let brands: [String: ImageFormat] = [
    "avif": .avif, "avis": .avif,
    "heic": .heic, "heix": .heic, "hevc": .heic, "hevx": .heic, "heim": .heic, "heis": .heic,
    "mp41": .mp4, "mp42": .mp4, "isom": .mp4, "iso2": .mp4, "iso5": .mp4, "iso6": .mp4, "avc1": .mp4,
    "M4V ": .m4v, "M4VH": .m4v, "M4VP": .m4v,
    "qt  ": .mov,
  ]
}
