import CCodecs

/// Converts documents to UTF-8, so that what is checked is what the library parses.
enum SVGEncoding {
  /// The library parses these by itself. For others, it would open files, which a worker process must not.
  private static let untouched: Set<String> = ["utf-8", "us-ascii", "ascii", "iso-8859-1"]

  /// Encodings without states, which the system converts.
  private static let converted = Set(
    (1250...1258).map { "windows-\($0)" } + (2...16).map { "iso-8859-\($0)" } + [
      "koi8-r", "koi8-u", "macintosh", "ibm866", "cp866", "gbk", "gb2312", "gb18030", "big5", "shift_jis",
      "euc-jp", "euc-kr", "tis-620",
    ])

  /// Returns a document in UTF-8, without its declaration, or as it is.
  static func converted(_ bytes: [UInt8]) throws(ImageCodecError) -> [UInt8] {
    if let text = utf16(bytes[...]) { return undeclared(text) }
    guard isASCII(bytes) else {
      throw .unsupportedFeature("an SVG in an encoding that it does not declare")
    }
    guard let encoding = SVGProlog(bytes).encoding, !untouched.contains(encoding) else { return bytes }
    guard converted.contains(encoding) else { throw unsupported(encoding) }
    return undeclared(try converted(bytes, from: encoding))
  }

  /// Whether the library would read the document, and what it declares, as a superset of ASCII. Others, such as EBCDIC, it detects by
  /// the first bytes.
  private static func isASCII(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    guard let first = text.first, first == UInt8(ascii: "<") || [0x20, 0x09, 0x0A, 0x0D].contains(first)
    else { return false }
    return !text.starts(with: "<?xml".utf8) || text.prefix(SVGProlog.length).contains(UInt8(ascii: ">"))
  }

  /// Returns the first bytes of a document, to be looked at.
  static func opening(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    utf16(bytes).map(undeclared) ?? Array(bytes)
  }

  /// Returns UTF-16 as UTF-8. `nil` unless it is UTF-16, by its byte order mark or by its first character.
  private static func utf16(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let less = UInt8(ascii: "<")
    let isBig = [[0xFE, 0xFF], [0, less]].contains { bytes.starts(with: $0) }
    guard isBig || [[0xFF, 0xFE], [less, 0]].contains(where: { bytes.starts(with: $0) }) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBig ? first << 8 | second : second << 8 | first
    }
    return Array(
      String(decoding: units.first == 0xFEFF ? units.dropFirst() : units[...], as: UTF16.self).utf8)
  }

  private static func converted(
    _ bytes: [UInt8], from encoding: String
  ) throws(ImageCodecError) -> [UInt8] {
    var status = CodecStatus.done
    let text = [UInt8](unsafeUninitializedCapacity: bytes.count * 3) { text, count in
      status = codec_text_to_utf8(encoding, bytes, bytes.count, text.baseAddress, text.count, &count)
    }
    switch status {
    case .done: return text
    case .outOfMemory: throw .outOfMemory
    case .unsupported: throw unsupported(encoding)
    default: throw .corrupt("an SVG that is not in \(encoding), as it says")
    }
  }

  private static func unsupported(_ encoding: String) -> ImageCodecError {
    .unsupportedFeature("an SVG in \(encoding.prefix(32))")
  }

  /// Without the declaration, which names another encoding.
  private static func undeclared(_ text: [UInt8]) -> [UInt8] {
    guard text.starts(with: "<?xml".utf8), let end = text.firstIndex(of: UInt8(ascii: ">")) else {
      return text
    }
    return Array(text[(end + 1)...])
  }
}
