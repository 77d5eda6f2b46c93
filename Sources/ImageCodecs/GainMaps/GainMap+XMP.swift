/// The properties of Adobe's gain map 1.0, in the XMP of the map.
extension GainMap.Metadata {
  static let xmpAddress = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// `nil` without the properties that a map must have, for an HDR image with an SDR map, and for numbers out of range.
  init?(xmp: XMPPacket) {
    func values(_ name: String) -> [String] { xmp.values(Self.xmpAddress, name) }
    guard !values("Version").isEmpty, values("BaseRenditionIsHDR").first?.lowercased() != "true" else {
      return nil
    }
    /// Three numbers: one of each color, or the same for all.
    func numbers(_ name: String, _ otherwise: Double? = nil) -> [Double]? {
      let words = values(name).flatMap { $0.split { $0 == "," || $0.isWhitespace } }
      if words.isEmpty { return otherwise.map { [$0, $0, $0] } }
      let numbers = words.compactMap { Double($0) }
      guard numbers.count == words.count else { return nil }
      return numbers.count == 1 ? [numbers[0], numbers[0], numbers[0]] : numbers.count == 3 ? numbers : nil
    }
    guard let minimum = numbers("GainMapMin", 0), let maximum = numbers("GainMapMax"),
      let gamma = numbers("Gamma", 1), let baseOffset = numbers("OffsetSDR", 1 / 64),
      let offset = numbers("OffsetHDR", 1 / 64), let base = numbers("HDRCapacityMin", 0),
      let headroom = numbers("HDRCapacityMax")
    else { return nil }
    let channels = (0..<3).map {
      GainMap.Channel(
        minimum: minimum[$0], maximum: maximum[$0], gamma: gamma[$0], baseOffset: baseOffset[$0],
        offset: offset[$0])
    }
    self.init(
      red: channels[0], green: channels[1], blue: channels[2], baseHeadroom: base[0], headroom: headroom[0])
    guard isValid else { return nil }
  }

  /// The segment of the map.
  var xmp: [UInt8] {
    let properties: [(String, KeyPath<GainMap.Channel, Double>)] = [
      ("GainMapMin", \.minimum), ("GainMapMax", \.maximum), ("Gamma", \.gamma), ("OffsetSDR", \.baseOffset),
      ("OffsetHDR", \.offset),
    ]
    var attributes = "hdrgm:Version=\"1.0\" hdrgm:HDRCapacityMin=\"\(baseHeadroom)\""
    attributes += " hdrgm:HDRCapacityMax=\"\(headroom)\" hdrgm:BaseRenditionIsHDR=\"False\""
    var elements = ""
    for (name, path) in properties {
      if isUniform {
        attributes += " hdrgm:\(name)=\"\(red[keyPath: path])\""
      } else {
        let items = channels.map { "<rdf:li>\($0[keyPath: path])</rdf:li>" }.joined()
        elements += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
      }
    }
    return Self.packet(namespaces: "", attributes: attributes, elements: elements)
  }

  /// The segment of the main image: the list of images in the file.
  static func xmpDirectory(mapByteCount: Int) -> [UInt8] {
    let items = [
      "Item:Semantic=\"Primary\" Item:Mime=\"image/jpeg\"",
      "Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(mapByteCount)\"",
    ]
    let list = items.map { "<rdf:li rdf:parseType=\"Resource\"><Container:Item \($0)/></rdf:li>" }.joined()
    return packet(
      namespaces: " xmlns:Container=\"\(XMPDirectory.address)\" xmlns:Item=\"\(XMPDirectory.itemAddress)\"",
      attributes: "hdrgm:Version=\"1.0\"",
      elements: "<Container:Directory><rdf:Seq>\(list)</rdf:Seq></Container:Directory>")
  }

  private static func packet(namespaces: String, attributes: String, elements: String) -> [UInt8] {
    let open =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
    let description =
      "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(xmpAddress)\"\(namespaces) \(attributes)>"
    let close = "</rdf:Description></rdf:RDF></x:xmpmeta>"
    return XMPPacket.segmentName.bytes + Array("\(open)\(description)\(elements)\(close)".utf8)
  }
}

/// The list of images in a file, in the XMP of the main image.
enum XMPDirectory {
  static let address = "http://ns.google.com/photos/1.0/container/"
  static let itemAddress = "http://ns.google.com/photos/1.0/container/item/"

  /// The place of the gain map. The images follow each other to the end of the file.
  static func gainMap(_ xmp: XMPPacket, in file: ByteView) -> ByteView? {
    var end = file.count
    for item in xmp.root.descendants(address, "Item").dropFirst().reversed() {
      guard let length = item.texts(itemAddress, "Length")?.first.flatMap({ Int($0) }), length > 0,
        length <= end
      else { return nil }
      if item.texts(itemAddress, "Semantic") == ["GainMap"] { return file.slice(end - length, count: length) }
      end -= length
    }
    return nil
  }
}
