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
    signatures.first { signature, _ in
      bytes.count >= signature.count && zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
    }?.format
  }

  /// Whether these are the first bytes of a signature, but not all of them.
  static func isBegun(by bytes: [UInt8]) -> Bool {
    signatures.contains { signature, _ in
      bytes.count < signature.count && zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
    }
  }

  private static let signatures: [(bytes: [UInt8?], format: ImageFormat)] = allCases.flatMap { format in
    format.codec.signatures.map { ($0, format) }
  }

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

  private static let brands = Dictionary(
    uniqueKeysWithValues: allCases.flatMap { format in format.codec.brands.map { ($0, format) } })
}
