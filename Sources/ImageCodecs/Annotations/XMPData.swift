/// XMP: properties in RDF, written by programs that edit photographs.
public struct XMPData: Sendable, Hashable {
  /// All bytes as stored: a document of XML.
  public let bytes: [UInt8]

  /// The document; `nil` if it is not well-formed.
  let packet: XMPPacket?

  /// Parses XMP. A document that is not well-formed, has a document type, or is not in UTF-8 has no properties.
  ///
  /// - Complexity: O(n) in the size of the document.
  public init(bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
    packet = XMPPacket(self.bytes)
  }

  /// The texts of a property: one of a simple property, the items of a list, or the languages of a text with alternatives, the default
  /// one first.
  ///
  /// - Parameters:
  ///   - address: The namespace, for example `http://purl.org/dc/elements/1.1/`.
  ///   - name: The name without a prefix.
  /// - Complexity: O(n) in the number of properties.
  public func values(_ address: String, _ name: String) -> [String] { packet?.values(address, name) ?? [] }

  /// Equal bytes.
  public static func == (left: XMPData, right: XMPData) -> Bool { left.bytes == right.bytes }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// The namespaces of common properties.
enum XMPNamespace {
  static let meta = "adobe:ns:meta/"
  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  static let dublinCore = "http://purl.org/dc/elements/1.1/"
  static let basic = "http://ns.adobe.com/xap/1.0/"
  static let rights = "http://ns.adobe.com/xap/1.0/rights/"
  static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  static let exif = "http://ns.adobe.com/exif/1.0/"
  static let tiff = "http://ns.adobe.com/tiff/1.0/"
  static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  static let note = "http://ns.adobe.com/xmp/note/"
  static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
}

/// A document of XMP that can be changed.
struct XMPPacket: Sendable, Equatable {
  private(set) var root: XMLElement

  /// The beginning of the segment of a JPEG.
  static let segmentName: StaticString = "http://ns.adobe.com/xap/1.0/\0"

  init?(segment: ByteView) { self.init(Array(segment.array.dropFirst(Self.segmentName.utf8CodeUnitCount))) }

  init?(_ bytes: [UInt8]) {
    guard let root = XMLReader.root(of: bytes) else { return nil }
    self.root = root
    guard graph != nil else { return nil }
  }

  /// A document without properties.
  init() {
    let rdf = XMLElement(
      name: .init(prefix: "rdf", local: "RDF", address: XMPNamespace.rdf),
      attributes: [Self.declaration("rdf", XMPNamespace.rdf)])
    root = XMLElement(
      name: .init(prefix: "x", local: "xmpmeta", address: XMPNamespace.meta),
      attributes: [Self.declaration("x", XMPNamespace.meta)], children: [.element(rdf)])
  }

  private static func declaration(_ prefix: String, _ address: String) -> XMLElement.Attribute {
    .init(name: .init(prefix: "xmlns", local: prefix, address: ""), value: address)
  }

  /// The element with the descriptions.
  private var graph: XMLElement? {
    if root.name.local == "RDF", root.name.address == XMPNamespace.rdf { return root }
    return root.elements(XMPNamespace.rdf, "RDF").first
  }

  private var descriptions: [XMLElement] { graph?.elements(XMPNamespace.rdf, "Description") ?? [] }

  func values(_ address: String, _ name: String) -> [String] {
    for description in descriptions {
      if let texts = description.texts(address, name) { return texts }
    }
    return []
  }

  mutating func remove(where isRemoved: (XMLElement.Name) -> Bool) { root.remove(where: isRemoved) }

  /// Whether there is a property.
  var isEmpty: Bool {
    descriptions.allSatisfy { description in
      description.elements.isEmpty
        && !description.attributes.contains {
          !$0.isDeclaration && !($0.name.address == XMPNamespace.rdf && $0.name.local == "about")
        }
    }
  }

  /// How a property is written.
  enum Form {
    case simple
    /// An ordered list, an unordered one, or a text in the default language.
    case sequence, bag, alternatives

    fileprivate var list: String? {
      switch self {
      case .simple: nil
      case .sequence: "Seq"
      case .bag: "Bag"
      case .alternatives: "Alt"
      }
    }
  }

  /// Adds a property in a description of its own. Nothing is added without a value.
  mutating func add(_ prefix: String, _ address: String, _ name: String, _ values: [String], _ form: Form) {
    guard let first = values.first else { return }
    var property = XMLElement(name: .init(prefix: prefix, local: name, address: address))
    func rdf(_ local: String) -> XMLElement.Name {
      .init(prefix: "rdf", local: local, address: XMPNamespace.rdf)
    }
    if let list = form.list {
      let items = (form == .alternatives ? [first] : values).map { value in
        let language = XMLElement.Attribute(
          name: .init(prefix: "xml", local: "lang", address: ""), value: "x-default")
        return XMLElement(
          name: rdf("li"), attributes: form == .alternatives ? [language] : [], children: [.text(value)])
      }
      property.children = [.element(XMLElement(name: rdf(list), children: items.map { .element($0) }))]
    } else {
      property.children = [.text(first)]
    }
    let about = XMLElement.Attribute(name: rdf("about"), value: "")
    let description = XMLElement(
      name: rdf("Description"),
      attributes: [Self.declaration("rdf", XMPNamespace.rdf), Self.declaration(prefix, address), about],
      children: [.element(property)])
    add([description])
  }

  /// Adds all properties of another document.
  mutating func add(_ other: XMPPacket) {
    // An inner element wins over an outer one.
    let outer = Dictionary(
      (other.root.attributes + (other.graph?.attributes ?? [])).filter(\.isDeclaration)
        .map { ($0.name.declaredPrefix, $0) },
      uniquingKeysWith: { _, inner in inner })
    add(
      other.descriptions.map { description in
        var description = description
        let own = Set(description.attributes.filter(\.isDeclaration).map(\.name.declaredPrefix))
        // Those of all namespaces would make a large document of many small descriptions.
        let missing = description.prefixes.subtracting(own).sorted()
        description.attributes += missing.compactMap { outer[$0] }
        return description
      })
  }

  private mutating func add(_ descriptions: [XMLElement]) {
    let nodes = descriptions.map { XMLElement.Node.element($0) }
    if root.name.address == XMPNamespace.rdf {
      root.children += nodes
      return
    }
    let index = root.children.firstIndex {
      if case .element(let element) = $0 { element.name.local == "RDF" } else { false }
    }
    guard let index, case .element(var graph) = root.children[index] else { return }
    graph.children += nodes
    root.children[index] = .element(graph)
  }

  /// The document, in the frame that programs search for.
  var serialized: [UInt8] {
    Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8) + Array(root.serialized.utf8)
      + Array("<?xpacket end=\"r\"?>".utf8)
  }
}

extension XMLElement {
  /// The texts of a property of the element; `nil` if it has none of this name.
  func texts(_ address: String, _ name: String) -> [String]? {
    let isWanted = { (found: Name) in found.address == address && found.local == name }
    if let attribute = attributes.first(where: { isWanted($0.name) }) {
      return attribute.value.trimmed.map { [$0] } ?? []
    }
    return elements.first { isWanted($0.name) }.map(\.propertyTexts)
  }

  private var propertyTexts: [String] {
    guard let list = elements.first(where: { $0.name.address == XMPNamespace.rdf }),
      ["Alt", "Bag", "Seq"].contains(list.name.local)
    else { return text.trimmed.map { [$0] } ?? [] }
    let items = list.elements(XMPNamespace.rdf, "li")
    let isDefault = { (item: XMLElement) in
      item.attributes.contains { $0.name.text == "xml:lang" && $0.value == "x-default" }
    }
    let sorted = list.name.local == "Alt" ? items.filter(isDefault) + items.filter { !isDefault($0) } : items
    return sorted.compactMap(\.text.trimmed)
  }
}
