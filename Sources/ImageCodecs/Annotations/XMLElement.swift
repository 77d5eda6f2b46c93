/// An element of an XML document.
struct XMLElement: Sendable, Equatable {
  /// A name with the namespace that its prefix stands for.
  struct Name: Sendable, Equatable {
    var prefix: String
    var local: String
    /// Empty if the prefix is declared nowhere.
    var address: String

    var text: String { prefix.isEmpty ? local : "\(prefix):\(local)" }

    /// What the name of a declaration declares; empty for the namespace of names without a prefix.
    var declaredPrefix: String { prefix.isEmpty ? "" : local }
  }

  struct Attribute: Sendable, Equatable {
    var name: Name
    var value: String

    /// Whether it declares a namespace.
    var isDeclaration: Bool { name.prefix == "xmlns" || name.prefix.isEmpty && name.local == "xmlns" }
  }

  indirect enum Node: Sendable, Equatable {
    case element(XMLElement)
    case text(String)
  }

  var name: Name
  var attributes: [Attribute] = []
  var children: [Node] = []

  var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The text directly in the element.
  var text: String {
    children.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
  }

  func elements(_ address: String, _ local: String) -> [XMLElement] {
    elements.filter { $0.name.address == address && $0.name.local == local }
  }

  /// The elements of this name, at any depth.
  func descendants(_ address: String, _ local: String) -> [XMLElement] {
    elements(address, local) + elements.flatMap { $0.descendants(address, local) }
  }

  /// The prefixes of the element and of all names in it.
  var prefixes: Set<String> {
    elements.reduce(into: Set(attributes.map(\.name.prefix) + [name.prefix])) { $0.formUnion($1.prefixes) }
  }

  /// Removes the attributes and elements, at any depth, of the names for which `isRemoved` is true.
  mutating func remove(where isRemoved: (Name) -> Bool) {
    attributes.removeAll { !$0.isDeclaration && isRemoved($0.name) }
    children = children.compactMap { child in
      guard case .element(var element) = child else { return child }
      if isRemoved(element.name) { return nil }
      element.remove(where: isRemoved)
      return .element(element)
    }
  }

  /// The element as text.
  var serialized: String {
    var output = ""
    write(to: &output)
    return output
  }

  private func write(to output: inout String) {
    output += "<\(name.text)"
    for attribute in attributes { output += " \(attribute.name.text)=\"\(attribute.value.escapedForXML)\"" }
    guard !children.isEmpty else {
      output += "/>"
      return
    }
    output += ">"
    for child in children {
      switch child {
      case .element(let element): element.write(to: &output)
      case .text(let text): output += text.escapedForXML
      }
    }
    output += "</\(name.text)>"
  }
}

extension String {
  /// Control characters, which XML does not have, are left out.
  var escapedForXML: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{FFFE}"..."\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
