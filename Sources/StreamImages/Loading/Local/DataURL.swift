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
