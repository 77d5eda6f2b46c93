import Foundation

/// A parsed data URL, by RFC 2397.
///
/// - Complexity: Linear in the text, in time and memory.
package struct DataURL: Equatable {
  package var mediaType: String
  package var bytes: [UInt8]

  package init(_ text: String, maximumByteCount limit: Int) throws(DataLoadingError) {
    let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let colon = whole.firstIndex(of: UInt8(ascii: ":")) else { throw .badURL("no scheme") }
    let scheme = String(decoding: whole[..<colon], as: UTF8.self).lowercased()
    guard scheme == "data" else { throw .unsupportedScheme(scheme) }
    let content = whole[whole.index(after: colon)...]
    guard let comma = content.firstIndex(of: UInt8(ascii: ",")) else { throw .malformedDataURL("no comma") }

    var mediaType = String(decoding: content[..<comma], as: UTF8.self)
    let isBase64 = Self.removeBase64(from: &mediaType)
    if mediaType.isEmpty { mediaType = "text/plain;charset=US-ASCII" }
    if mediaType.utf8.first == UInt8(ascii: ";") { mediaType = "text/plain" + mediaType }
    self.mediaType = mediaType

    let body = content[content.index(after: comma)...]
    // Three bytes take at most twelve characters, and so does a part of them: four digits of Base64 in percent encoding.
    guard body.count / 4 - 2 <= limit else { throw .tooLarge(limit: limit, announced: nil) }
    guard let decoded = PercentDecoding.decode(body) else {
      throw .malformedDataURL("a percent sign without two digits")
    }
    bytes = isBase64 ? try Base64.decode(decoded) : decoded
    guard bytes.count <= limit else { throw .tooLarge(limit: limit, announced: bytes.count) }
  }

  /// Removes the mark of Base64. As in browsers, spaces around the word do not matter; `URL` may encode them.
  private static func removeBase64(from mediaType: inout String) -> Bool {
    var rest = mediaType[...]
    removeSpaces(from: &rest)
    guard rest.lowercased().hasSuffix("base64") else { return false }
    rest.removeLast("base64".count)
    removeSpaces(from: &rest)
    guard rest.last == ";" else { return false }
    mediaType = String(rest.dropLast())
    return true
  }

  private static func removeSpaces(from text: inout Substring) {
    while let space = [" ", "%20"].first(where: text.hasSuffix) { text.removeLast(space.count) }
  }
}

/// Loads `data:` URLs, which contain their bytes.
public struct DataURLLoader: DataLoading {
  /// Creates a loader of `data:` URLs.
  public init() {}

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    if Task.isCancelled { throw .cancelled }
    try request.requireReading()
    let limit = min(limits.maximumDataURLByteCount, limits.maximumByteCount)
    let parsed = try DataURL(request.url.absoluteString, maximumByteCount: limit)
    let body = request.method == .get ? Data(parsed.bytes) : Data()
    let head = LoadedHead(
      headers: ["Content-Type": parsed.mediaType], url: request.url, expectedByteCount: body.count)
    return LoadedData(head: head, body: BufferedChunks(body))
  }
}

/// Decodes Base64 as browsers do in data URLs: white space is skipped, and padding may be missing but not wrong.
enum Base64 {
  static func decode(_ text: [UInt8]) throws(DataLoadingError) -> [UInt8] {
    var decoded: [UInt8] = []
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !isSpace(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = value(of: byte) else { throw .malformedDataURL("not base64") }
      bits = bits << 6 | UInt32(value)
      digits += 1
      if digits % 4 == 0 {
        decoded.append(UInt8(truncatingIfNeeded: bits >> 16))
        decoded.append(UInt8(truncatingIfNeeded: bits >> 8))
        decoded.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    let rest = digits % 4
    guard rest != 1, padding == 0 || (rest != 0 && rest + padding == 4) else {
      throw .malformedDataURL("wrong padding")
    }
    if rest == 2 { decoded.append(UInt8(truncatingIfNeeded: bits >> 4)) }
    if rest == 3 { decoded += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)] }
    return decoded
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Decodes percent encoding: `%41` is `A`. The result is bytes, because it need not be text.
enum PercentDecoding {
  /// Returns `nil` if a percent sign is not followed by two hexadecimal digits.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    var bytes = text.makeIterator()
    while let byte = bytes.next() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = bytes.next().flatMap(hexadecimalValue),
        let low = bytes.next().flatMap(hexadecimalValue)
      else { return nil }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
