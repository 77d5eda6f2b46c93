extension ThumbHash: CustomStringConvertible {
  /// The bytes in Base64.
  public var description: String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = Array(bytes[start..<min(start + 3, bytes.count)])
      let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? Self.digits[value >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a hash from Base64, also from that for URLs. Padding may be missing.
  ///
  /// Throws ``ImageCodecError/corrupt(_:)`` for another character, and the errors of reading its bytes.
  public init(_ text: some StringProtocol) throws(ImageCodecError) {
    var (bytes, value, bitCount): ([UInt8], Int, Int) = ([], 0, 0)
    // The longest hash has fewer, so the rest of a long text is not read.
    for character in text.utf8.prefix(88) where character != UInt8(ascii: "=") {
      let plain: UInt8 =
        switch character {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: character
        }
      guard let digit = Self.digits.firstIndex(of: plain) else {
        throw .corrupt("a character of a placeholder")
      }
      (value, bitCount) = (value << 6 & 0xFFFF | digit, bitCount + 6)
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> bitCount))
    }
    try self.init(bytes)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

extension ThumbHash: Codable {
  /// Reads a text in Base64.
  public init(from decoder: any Decoder) throws {
    self = try decoder.parse { text throws(ImageCodecError) in try Self(text) }
  }

  /// Writes a text in Base64.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension BlurHash: Codable {
  /// Reads the text of a hash.
  public init(from decoder: any Decoder) throws {
    self = try decoder.parse { text throws(ImageCodecError) in try Self(text) }
  }

  /// Writes the text of the hash.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Decoder {
  /// Reads a text, and makes something of it.
  fileprivate func parse<Hash>(_ parse: (String) throws(ImageCodecError) -> Hash) throws -> Hash {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    do { return try parse(text) } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}
