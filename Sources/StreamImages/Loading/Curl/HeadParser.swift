/// Puts a head together from its lines, counting what it costs.
package struct HeadParser: Sendable {
  package private(set) var status = 0
  /// "1.1", "2"
  package private(set) var version = ""
  package private(set) var fields = HeaderFields()
  package private(set) var isComplete = false
  private var byteCount = 0
  private var fieldCount = 0

  package init() {}

  /// Takes one line, its end included. Informational heads are passed over, trailers only counted.
  package mutating func take(
    _ line: UnsafeRawBufferPointer, limits: LoadLimits
  ) throws(DataLoadingError) {
    byteCount += line.count
    guard byteCount <= limits.maximumHeadByteCount else { throw .headTooLarge }
    let text = Self.text(of: line)
    if text.isEmpty {
      isComplete = isComplete || status >= 200
    } else if !isComplete, text.hasPrefix("HTTP/") {
      try start(text)
    } else {
      fieldCount += 1
      guard fieldCount <= limits.maximumHeadFieldCount else { throw .headTooLarge }
      if !isComplete { try add(text) }
    }
  }

  private mutating func start(_ line: String) throws(DataLoadingError) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let code = Int(words[1]), (100...599).contains(code)
    else {
      throw .protocolViolation("status line")
    }
    status = code
    version = String(words[0].dropFirst("HTTP/".count))
    fields = HeaderFields()
  }

  private mutating func add(_ line: String) throws(DataLoadingError) {
    if line.first == " " || line.first == "\t" {
      // A folded value: RFC 9112 section 5.2 has user agents join it with a space.
      guard fields.extendLast(by: " " + Self.trimmed(line.unicodeScalars[...])) else {
        throw .protocolViolation("head begins with white space")
      }
      return
    }
    guard let colon = line.unicodeScalars.firstIndex(of: ":") else {
      throw .protocolViolation("header without colon")
    }
    let value = line.unicodeScalars[line.unicodeScalars.index(after: colon)...]
    fields.append(String(line.unicodeScalars[..<colon]), Self.trimmed(value))
  }

  /// UTF-8 if it is, Latin-1 if not: no byte is lost.
  private static func text(of line: UnsafeRawBufferPointer) -> String {
    var bytes = line[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes = bytes.dropLast() }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }

  private static func trimmed(_ value: Substring.UnicodeScalarView) -> String {
    var value = value
    while let first = value.first, first == " " || first == "\t" { value = value.dropFirst() }
    while let last = value.last, last == " " || last == "\t" { value = value.dropLast() }
    return String(value)
  }
}
