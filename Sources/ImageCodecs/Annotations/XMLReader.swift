/// Parses XML documents in UTF-8, with namespaces and without a document type, so that no entity expands.
///
/// Depth, the number of elements and attributes, and the number of namespaces are limited, so that the time is linear.
struct XMLReader {
  private let bytes: [UInt8]
  private var position = 0
  private var count = 0
  private var declarations = 0

  private static let maximumDepth = 64
  private static let maximumCount = 50_000
  private static let maximumDeclarations = 300
  private static let xmlAddress = "http://www.w3.org/XML/1998/namespace"

  /// The element that contains all others; `nil` if the document is not well-formed, or exceeds the limits.
  static func root(of bytes: [UInt8]) -> XMLElement? {
    var reader = XMLReader(bytes: bytes)
    guard reader.skipMisc(), let root = reader.element(depth: 0, scope: ["xml": xmlAddress]) else {
      return nil
    }
    return root
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isAt(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    return length <= bytes.count - position
      && text.withUTF8Buffer { bytes[position..<position + length].elementsEqual($0) }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    guard isAt(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  /// Moves behind the next `end`.
  private mutating func skip(to end: StaticString) -> Bool {
    while position < bytes.count {
      if skip(end) { return true }
      position += 1
    }
    return false
  }

  /// Comments and processing instructions before the root.
  private mutating func skipMisc() -> Bool {
    while true {
      skipSpace()
      // Some programs fill the end, or the beginning, with zeros.
      while byte == 0 { position += 1 }
      if isAt("<?") {
        guard skip(to: "?>") else { return false }
      } else if isAt("<!--") {
        guard skip(to: "-->") else { return false }
      } else {
        return true
      }
    }
  }

  private mutating func name() -> (prefix: String, local: String)? {
    let start = position
    while let byte, isName(byte) { position += 1 }
    let parts = bytes[start..<position].split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = parts.last, !last.isEmpty, position - start <= 256,
      let local = String(validating: last, as: UTF8.self),
      let prefix = String(validating: parts.count == 2 ? parts[0] : [], as: UTF8.self)
    else { return nil }
    return (prefix, local)
  }

  private func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }

  private mutating func element(depth: Int, scope: [String: String]) -> XMLElement? {
    count += 1
    guard depth < Self.maximumDepth, count <= Self.maximumCount, skip("<") else { return nil }
    let start = position
    guard let name = name() else { return nil }
    let open = bytes[start..<position]
    guard let raw = attributes() else { return nil }
    var scope = scope
    for (name, value) in raw {
      let declared: String? = name.prefix == "xmlns" ? name.local : name == ("", "xmlns") ? "" : nil
      guard let declared else { continue }
      declarations += 1
      guard declarations <= Self.maximumDeclarations else { return nil }
      scope[declared] = value
    }
    var element = XMLElement(
      name: .init(prefix: name.prefix, local: name.local, address: scope[name.prefix] ?? ""),
      attributes: raw.map { name, value in
        // Attributes without a prefix are in no namespace.
        let address = name.prefix.isEmpty ? "" : scope[name.prefix] ?? ""
        return .init(name: .init(prefix: name.prefix, local: name.local, address: address), value: value)
      })
    if skip("/>") { return element }
    guard skip(">"), let children = content(depth: depth, scope: scope) else { return nil }
    guard bytes[position...].starts(with: open) else { return nil }
    position += open.count
    skipSpace()
    guard skip(">") else { return nil }
    element.children = children
    return element
  }

  private mutating func attributes() -> [(name: (prefix: String, local: String), value: String)]? {
    var list: [(name: (prefix: String, local: String), value: String)] = []
    while true {
      skipSpace()
      guard let byte else { return nil }
      if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return list }
      count += 1
      guard count <= Self.maximumCount, let name = name() else { return nil }
      skipSpace()
      guard skip("=") else { return nil }
      skipSpace()
      guard let quote = self.byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        return nil
      }
      position += 1
      let start = position
      while let byte = self.byte, byte != quote, byte != UInt8(ascii: "<") { position += 1 }
      guard self.byte == quote, let value = text(bytes[start..<position]) else { return nil }
      position += 1
      list.append((name, value))
    }
  }

  /// Everything up to the closing tag, behind its first two characters.
  private mutating func content(depth: Int, scope: [String: String]) -> [XMLElement.Node]? {
    var nodes: [XMLElement.Node] = []
    while let byte {
      if byte != UInt8(ascii: "<") {
        let start = position
        while let byte = self.byte, byte != UInt8(ascii: "<") { position += 1 }
        guard let text = text(bytes[start..<position]) else { return nil }
        nodes.append(.text(text))
      } else if skip("</") {
        return nodes
      } else if isAt("<!--") {
        guard skip(to: "-->") else { return nil }
      } else if isAt("<?") {
        guard skip(to: "?>") else { return nil }
      } else if skip("<![CDATA[") {
        let start = position
        guard skip(to: "]]>"), let text = String(validating: bytes[start..<position - 3], as: UTF8.self)
        else { return nil }
        nodes.append(.text(text))
      } else {
        guard let element = element(depth: depth + 1, scope: scope) else { return nil }
        nodes.append(.element(element))
      }
    }
    return nil
  }

  /// Replaces references to characters.
  private func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(validating: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      guard byte == UInt8(ascii: "&") else {
        result.append(byte)
        rest = rest.dropFirst()
        continue
      }
      let name = rest.dropFirst().prefix(12).prefix { $0 != UInt8(ascii: ";") }
      rest = rest.dropFirst(name.count + 1)
      guard rest.popFirst() == UInt8(ascii: ";"),
        let character = Self.character(String(decoding: name, as: UTF8.self))
      else { return nil }
      result += Array(String(character).utf8)
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    default:
      name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
        : name.hasPrefix("#") ? UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) } : nil
    }
  }
}
