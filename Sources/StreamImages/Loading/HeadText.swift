/// The fields of a head as received bytes. Few of them are ever read, and only those are turned into text.
struct HeadText: Sendable {
  private struct Line: Sendable {
    let name: Range<Int>
    var value: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var lines: [Line] = []

  var count: Int { lines.count }
  var fields: [HeaderFields.Field] { lines.indices.map { self[$0] } }

  subscript(place: Int) -> HeaderFields.Field {
    HeaderFields.Field(name: text(lines[place].name), value: text(lines[place].value))
  }

  func firstValue(for name: String) -> String? {
    lines.first { isNamed($0, name) }.map { text($0.value) }
  }

  func values(for name: String) -> [String] {
    lines.filter { isNamed($0, name) }.map { text($0.value) }
  }

  /// The value of a field that appears once and is a number, parsed without creating a string.
  func number(for name: String) -> Int? {
    guard let place = lines.firstIndex(where: { isNamed($0, name) }),
      !lines[(place + 1)...].contains(where: { isNamed($0, name) })
    else { return nil }
    return Int(digits: bytes[lines[place].value])
  }

  /// Appends a line with the ranges of its name and its value.
  mutating func append(_ line: UnsafeRawBufferPointer, name: Range<Int>, value: Range<Int>) {
    if lines.isEmpty {
      // The size of most heads.
      bytes.reserveCapacity(512)
      lines.reserveCapacity(16)
    }
    let start = bytes.count
    append(line[...])
    lines.append(Line(name: name.moved(by: start), value: value.moved(by: start)))
  }

  /// Appends to the last value, after a space unless one of them is empty. Returns false if there is no field yet.
  mutating func extendLast(by line: UnsafeRawBufferPointer, _ more: Range<Int>) -> Bool {
    guard let last = lines.indices.last else { return false }
    let value = lines[last].value
    bytes.removeSubrange(value.upperBound...)
    if !value.isEmpty, !more.isEmpty { bytes.append(UInt8(ascii: " ")) }
    append(line[more])
    lines[last].value = value.lowerBound..<bytes.count
    return true
  }

  /// Appends bytes, with a space in place of each control byte, as RFC 9110 section 5.5 allows.
  private mutating func append(_ part: Slice<UnsafeRawBufferPointer>) {
    let part = UnsafeRawBufferPointer(rebasing: part)
    // Hardly any line has one, and a loop without a way out is vectorized.
    let controlCount = part.reduce(into: 0) { $0 &+= isControl($1) ? 1 : 0 }
    if controlCount == 0 {
      bytes.append(contentsOf: part)
    } else {
      bytes.append(contentsOf: part.lazy.map { isControl($0) ? UInt8(ascii: " ") : $0 })
    }
  }

  private func isNamed(_ line: Line, _ name: String) -> Bool {
    bytes.withUnsafeBufferPointer { name.isSame(UnsafeBufferPointer(rebasing: $0[line.name])) }
  }

  private func text(_ range: Range<Int>) -> String {
    bytes.withUnsafeBytes { Self.text(of: UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Decodes UTF-8 if it is valid, and Latin-1 otherwise, so that no byte is lost.
  static func text(of bytes: UnsafeRawBufferPointer) -> String {
    // Almost every head is ASCII, and validation takes twice as long.
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    text.unicodeScalars.append(contentsOf: bytes.map { Unicode.Scalar($0) })
    return text
  }
}

extension Range<Int> {
  fileprivate func moved(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
