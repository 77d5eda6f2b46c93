import Foundation

/// Assembles a head from its lines, and enforces its limits.
///
/// Works on bytes, not on characters, because every image has a head, however small it is.
package struct HeadParser: Sendable {
  package private(set) var status = 0
  /// For example "1.1" or "2".
  package private(set) var version = ""
  package private(set) var isComplete = false
  private(set) var text = HeadText()
  private var byteCount = 0
  private var fieldCount = 0
  private let maximumByteCount: Int
  private let maximumFieldCount: Int

  package init(_ limits: LoadLimits = LoadLimits()) {
    maximumByteCount = limits.maximumHeadByteCount
    maximumFieldCount = limits.maximumHeadFieldCount
  }

  package var fields: HeaderFields { HeaderFields(text) }

  /// Parses one line, including its end. Informational heads are skipped, and trailers only counted.
  package mutating func take(_ line: UnsafeRawBufferPointer) throws(DataLoadingError) {
    byteCount += line.count
    guard byteCount <= maximumByteCount else { throw .headTooLarge }
    let line = Self.withoutEnd(line)
    if line.isEmpty {
      isComplete = status >= 200
    } else if !isComplete, line[0] == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
      try start(line)
    } else {
      fieldCount += 1
      guard fieldCount <= maximumFieldCount else { throw .headTooLarge }
      if !isComplete { try add(line) }
    }
  }

  /// Parses `HTTP/1.1 200 OK`. The last word may be missing.
  private mutating func start(_ line: UnsafeRawBufferPointer) throws(DataLoadingError) {
    let words = line.dropFirst("HTTP/".utf8.count).drop { $0 == space }
    let number = words.prefix { $0 != space }
    let digits = words[number.endIndex...].drop { $0 == space }.prefix { $0 != space }
    guard digits.count == 3, let code = Int(digits: digits), (100...599).contains(code) else {
      throw .protocolViolation("invalid status line")
    }
    status = code
    version = HeadText.text(of: UnsafeRawBufferPointer(rebasing: number))
    text = HeadText()
  }

  private mutating func add(_ line: UnsafeRawBufferPointer) throws(DataLoadingError) {
    if isBlank(line[0]) {
      // A folded value. RFC 9112 section 5.2 requires joining it with a space.
      guard text.extendLast(by: line, Self.trimmed(line, from: 0)) else {
        throw .protocolViolation("the head begins with white space")
      }
      return
    }
    guard let base = line.baseAddress, let mark = memchr(base, Int32(UInt8(ascii: ":")), line.count) else {
      throw .protocolViolation("a header without a colon")
    }
    let colon = UnsafeRawPointer(mark) - base
    var name = 0..<colon
    // RFC 9112 section 5.1 requires removing white space before the colon. Other bytes could hide the name as well.
    while let first = name.first, !isTokenByte(line[first]) { name.removeFirst() }
    while let last = name.last, !isTokenByte(line[last]) { name.removeLast() }
    text.append(line, name: name, value: Self.trimmed(line, from: colon + 1))
  }

  // MARK: Bytes

  private static func withoutEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: line[..<end])
  }

  private static func trimmed(_ line: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    var (start, end) = (start, line.count)
    while start < end, isBlank(line[start]) || isControl(line[start]) { start += 1 }
    while start < end, isBlank(line[end - 1]) || isControl(line[end - 1]) { end -= 1 }
    return start..<end
  }
}

private let space = UInt8(ascii: " ")

/// A `Content-Range`: `bytes 100-199/1000`.
package struct ContentRange: Equatable {
  package var first: Int
  package var last: Int
  package var total: Int?

  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, bounds.count == 2, let first = Int(digits: bounds[0].utf8),
      let last = Int(digits: bounds[1].utf8), first <= last, last < Int.max
    else { return nil }
    total = Int(digits: parts[1].utf8)
    guard parts[1] == "*" || total.map({ last < $0 }) ?? false else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Returns whether this is a valid response to a `Range` with one part: the same start, and no more than requested.
  package func answers(_ asked: String) -> Bool {
    guard asked.lowercased().hasPrefix("bytes=") else { return false }
    let bounds = asked.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return false }
    switch (Int(digits: bounds[0].utf8), Int(digits: bounds[1].utf8)) {
    case (let from?, let through?): return first == from && last <= through
    case (let from?, nil): return bounds[1].isEmpty && first == from
    case (nil, let count?):
      return bounds[0].isEmpty && last - first < count && (total.map { last == $0 - 1 } ?? true)
    case (nil, nil): return false
    }
  }
}
