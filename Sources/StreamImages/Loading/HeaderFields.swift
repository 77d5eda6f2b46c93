/// The fields of a head, in order, repeated names kept. Names are compared without case.
public struct HeaderFields: Sendable, Hashable {
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

  private var fields: [Field]

  /// These fields, in this order.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value of a name. Setting replaces all of them; setting `nil` removes them.
  public subscript(name: String) -> String? {
    get { place(of: name).map { fields[$0].value } }
    set {
      if let newValue { replace(name, with: newValue) } else { remove(name) }
    }
  }

  /// All values of a name, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.isNamed(name) }.map(\.value)
  }

  /// All values of a name as one list, joined by commas.
  public func combined(_ name: String) -> String? {
    guard place(of: name) != nil else { return nil }
    return values(for: name).joined(separator: ", ")
  }

  /// Adds a field at the end, whether or not there is one of that name.
  public mutating func append(_ name: String, _ value: String, isSecret: Bool = false) {
    fields.append(Field(name: name, value: value, isSecret: isSecret))
  }

  /// Puts a value in the place of all those of a name.
  public mutating func replace(_ name: String, with value: String, isSecret: Bool = false) {
    let field = Field(name: name, value: value, isSecret: isSecret)
    guard let first = place(of: name) else { return fields.append(field) }
    fields[first] = field
    let rest = fields[(first + 1)...].filter { !$0.isNamed(name) }
    fields.replaceSubrange((first + 1)..., with: rest)
  }

  /// Takes out all fields of this name, in whatever case.
  public mutating func remove(_ name: String) {
    fields.removeAll { $0.isNamed(name) }
  }

  private func place(of name: String) -> Int? {
    fields.indices.first { fields[$0].isNamed(name) }
  }

  /// For as many fields as most heads have.
  static var ofHead: HeaderFields {
    var head = HeaderFields()
    head.fields.reserveCapacity(16)
    return head
  }

  /// False if there is no field yet.
  mutating func extendLast(by text: String) -> Bool {
    guard !fields.isEmpty else { return false }
    fields[fields.count - 1].value += text
    return true
  }
}

extension HeaderFields: RandomAccessCollection {
  public var startIndex: Int { fields.startIndex }
  public var endIndex: Int { fields.endIndex }
  /// The field at a place. Traps if there is none.
  public subscript(index: Int) -> Field { fields[index] }
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
    guard name.utf8.count == other.utf8.count else { return false }
    var (name, other) = (name, other)
    return name.withUTF8 { left in
      other.withUTF8 { right in left.indices.allSatisfy { isSameIgnoringCase(left[$0], right[$0]) } }
    }
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

private func isSameIgnoringCase(_ left: UInt8, _ right: UInt8) -> Bool {
  left == right || ((left ^ right) == 0x20 && (0x61...0x7A).contains(left | 0x20))
}

private func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
