/// The header fields of a message, in order. A name can appear several times, and is looked up without case.
public struct HeaderFields: Sendable {
  /// One header field.
  public struct Field: Sendable, Hashable {
    /// The name, in its original case.
    public var name: String
    /// The value, without surrounding blanks if it was received.
    public var value: String

    /// Whether the value is secret. A secret field is not printed, and is dropped when a redirect leads to another
    /// origin.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and `Origin` are always treated as secret.
    public var isSecret: Bool

    /// Creates a field. Pass `isSecret: true` to keep the value out of descriptions and redirects.
    public init(name: String, value: String, isSecret: Bool = false) {
      self.name = name
      self.value = value
      self.isSecret = isSecret
    }
  }

  private enum Storage: Sendable {
    case fields([Field])
    case text(HeadText)
  }

  private var storage: Storage

  private var fields: [Field] {
    get {
      switch storage {
      case .fields(let fields): fields
      case .text(let text): text.fields
      }
    }
    _modify {
      var fields = self.fields
      storage = .fields([])
      defer { storage = .fields(fields) }
      yield &fields
    }
  }

  /// Creates a list of these fields, in this order.
  public init(_ fields: [Field] = []) { storage = .fields(fields) }

  /// The fields of a received head.
  init(_ text: HeadText) { storage = .text(text) }

  /// The first value of a name. Setting it replaces all values; setting `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      switch storage {
      case .fields(let fields): fields.first { $0.isNamed(name) }?.value
      case .text(let text): text.firstValue(for: name)
      }
    }
    set {
      if let newValue { replace(name, with: newValue) } else { remove(name) }
    }
  }

  /// Returns all values of a name, in order.
  public func values(for name: String) -> [String] {
    switch storage {
    case .fields(let fields): fields.filter { $0.isNamed(name) }.map(\.value)
    case .text(let text): text.values(for: name)
    }
  }

  /// Returns all values of a name, joined by commas, or `nil` if there are none.
  public func combined(_ name: String) -> String? {
    let values = values(for: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Appends a field, even if there is one of that name.
  public mutating func append(_ name: String, _ value: String, isSecret: Bool = false) {
    fields.append(Field(name: name, value: value, isSecret: isSecret))
  }

  /// Replaces all values of a name with one value.
  public mutating func replace(_ name: String, with value: String, isSecret: Bool = false) {
    let field = Field(name: name, value: value, isSecret: isSecret)
    guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return fields.append(field) }
    fields[first] = field
    let rest = fields[(first + 1)...].filter { !$0.isNamed(name) }
    fields.replaceSubrange((first + 1)..., with: rest)
  }

  /// Removes all fields of a name.
  public mutating func remove(_ name: String) { fields.removeAll { $0.isNamed(name) } }
}

extension HeaderFields.Field {
  /// Whether both have the same bytes: text that looks the same may differ.
  public static func == (left: Self, right: Self) -> Bool {
    left.isSecret == right.isSecret && left.name.hasSameBytes(as: right.name)
      && left.value.hasSameBytes(as: right.value)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(KeyText(name))
    hasher.combine(KeyText(value))
  }
}

extension HeaderFields: Hashable {
  public static func == (left: HeaderFields, right: HeaderFields) -> Bool { left.fields == right.fields }
  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension HeaderFields: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int {
    switch storage {
    case .fields(let fields): fields.count
    case .text(let text): text.count
    }
  }
  /// The field at an index. Traps if the index is out of bounds.
  public subscript(index: Int) -> Field {
    switch storage {
    case .fields(let fields): fields[index]
    case .text(let text): text[index]
    }
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HeaderFields: CustomStringConvertible {
  /// One field per line. Secret values are left out.
  public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension HeaderFields.Field: CustomStringConvertible {
  public var description: String { "\(name): \(staysWithOrigin ? "…" : value)" }

  func isNamed(_ other: String) -> Bool {
    var name = name
    return name.withUTF8 { other.isSame($0) }
  }

  /// Whether the field may only be sent to the origin it was meant for.
  var staysWithOrigin: Bool {
    isSecret
      || ["authorization", "proxy-authorization", "cookie", "set-cookie", "origin"].contains { isNamed($0) }
  }

  /// Whether the field can be sent without changing the meaning of the message.
  var isSendable: Bool {
    let framing = [
      "host", "connection", "content-length", "expect", "proxy-connection", "te", "trailer",
      "transfer-encoding", "upgrade",
    ]
    return !name.isEmpty && name.utf8.allSatisfy(isTokenByte) && !framing.contains { isNamed($0) }
      && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

extension String {
  /// Whether the bytes equal this name, ignoring the case of ASCII letters.
  func isSame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard utf8.count == bytes.count else { return false }
    var text = self
    return text.withUTF8 { text in
      bytes.indices.allSatisfy { place in
        let (left, right) = (text[place], bytes[place])
        return left == right || ((left ^ right) == 0x20 && (0x61...0x7A).contains(left | 0x20))
      }
    }
  }
}

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
