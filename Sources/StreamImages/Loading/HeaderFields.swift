/// The fields of a head, in order, repeated names kept. Names are compared without case.
public struct HeaderFields: Sendable {
  /// One field: a line of a head.
  public struct Field: Sendable, Hashable {
    /// In the case in which it was given.
    public var name: String
    /// Without blanks around it when it comes from a server.
    public var value: String

    /// A secret field is not printed, and is not sent on when a redirect leads to another origin.
    ///
    /// `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie` and `Origin` are treated so in any
    /// case.
    public var isSecret: Bool

    /// A field; `isSecret` keeps its value out of descriptions.
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

  /// These fields, in this order.
  public init(_ fields: [Field] = []) { storage = .fields(fields) }

  /// Those of a head that came.
  init(_ text: HeadText) { storage = .text(text) }

  /// The first value of a name. Setting replaces all of them; setting `nil` removes them.
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

  /// All values of a name, in order.
  public func values(for name: String) -> [String] {
    switch storage {
    case .fields(let fields): fields.filter { $0.isNamed(name) }.map(\.value)
    case .text(let text): text.values(for: name)
    }
  }

  /// All values of a name as one list, joined by commas.
  public func combined(_ name: String) -> String? {
    let values = values(for: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Adds a field at the end, whether or not there is one of that name.
  public mutating func append(_ name: String, _ value: String, isSecret: Bool = false) {
    fields.append(Field(name: name, value: value, isSecret: isSecret))
  }

  /// Puts a value in the place of all those of a name.
  public mutating func replace(_ name: String, with value: String, isSecret: Bool = false) {
    let field = Field(name: name, value: value, isSecret: isSecret)
    guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return fields.append(field) }
    fields[first] = field
    let rest = fields[(first + 1)...].filter { !$0.isNamed(name) }
    fields.replaceSubrange((first + 1)..., with: rest)
  }

  /// Takes out all fields of this name, in whatever case.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.isNamed(name) }
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
  /// The field at a place. Traps if there is none.
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
  /// One field a line, the values of secret ones left out.
  public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension HeaderFields.Field: CustomStringConvertible {
  public var description: String { "\(name): \(staysWithOrigin ? "…" : value)" }

  func isNamed(_ other: String) -> Bool {
    var name = name
    return name.withUTF8 { other.isSame($0) }
  }

  /// Whether the field is nobody's business but the origin's it was meant for.
  var staysWithOrigin: Bool {
    isSecret
      || ["authorization", "proxy-authorization", "cookie", "set-cookie", "origin"].contains { isNamed($0) }
  }

  /// Whether the field can be sent without changing what the message means.
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
  /// Whether these bytes are it, as names of fields are compared: the case of ASCII letters does not count.
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

private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
