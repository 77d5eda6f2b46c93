/// Puts a head together from its lines, counting what it costs.
///
/// Works on bytes, not on characters: there is a head for each picture, however small.
package struct HeadParser: Sendable {
  package private(set) var status = 0
  /// "1.1", "2"
  package private(set) var version = ""
  package private(set) var isComplete = false
  private var text = HeadText()
  private var byteCount = 0
  private var fieldCount = 0

  package init() {}

  package var fields: HeaderFields { HeaderFields(text) }

  /// Takes one line, its end included. Informational heads are passed over, trailers only counted.
  package mutating func take(
    _ line: UnsafeRawBufferPointer, limits: LoadLimits
  ) throws(DataLoadingError) {
    byteCount += line.count
    guard byteCount <= limits.maximumHeadByteCount else { throw .headTooLarge }
    let line = Self.withoutEnd(line)
    if line.isEmpty {
      isComplete = isComplete || status >= 200
    } else if !isComplete, line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      try start(line)
    } else {
      fieldCount += 1
      guard fieldCount <= limits.maximumHeadFieldCount else { throw .headTooLarge }
      if !isComplete { try add(line) }
    }
  }

  /// `HTTP/1.1 200 OK`, of which the last word may be missing.
  private mutating func start(_ line: Bytes) throws(DataLoadingError) {
    let words = line.dropFirst("HTTP/".utf8.count).drop { $0 == space }
    let number = words.prefix { $0 != space }
    let digits = words[number.endIndex...].drop { $0 == space }.prefix { $0 != space }
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .protocolViolation("status line")
    }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard (100...599).contains(code) else { throw .protocolViolation("status line") }
    status = code
    version = HeadText.text(of: UnsafeRawBufferPointer(rebasing: number))
    text = HeadText()
  }

  private mutating func add(_ line: Bytes) throws(DataLoadingError) {
    if Self.isBlank(line[line.startIndex]) {
      // A folded value: RFC 9112 section 5.2 has user agents join it with a space.
      guard text.extendLast(by: Self.trimmed(line)) else {
        throw .protocolViolation("head begins with white space")
      }
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw .protocolViolation("header without colon")
    }
    text.append(line[..<colon], Self.trimmed(line[(colon + 1)...]))
  }

  // MARK: Bytes

  private typealias Bytes = HeadText.Bytes

  private static func withoutEnd(_ line: UnsafeRawBufferPointer) -> Bytes {
    var end = line.endIndex
    while end > line.startIndex, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    return line[..<end]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == 0x09 }

  private static func trimmed(_ value: Bytes) -> Bytes {
    var value = value
    while let first = value.first, isBlank(first) { value.removeFirst() }
    while let last = value.last, isBlank(last) { value.removeLast() }
    return value
  }
}

private let space = UInt8(ascii: " ")
