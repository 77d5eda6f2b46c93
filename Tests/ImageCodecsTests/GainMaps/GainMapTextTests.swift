import ImageCodecs
import Testing

@Suite("Gain maps: XMP of any form")
struct GainMapTextTests {
  private static let address = "http://ns.adobe.com/hdr-gain-map/1.0/"
  private static let usual = "h:Version='1.0' h:GainMapMax='2' h:HDRCapacityMax='3'"
  private let plain: GainMapFile

  init() throws { plain = try GainMapFile(Samples.picture(16, 8, .rgb8), map: Samples.picture(8, 8, .gray8)) }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

  private static func packet(_ description: String) -> [UInt8] {
    let text = "<r:RDF xmlns:r='\(rdf)'>\(description)</r:RDF>"
    return JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8))
  }

  /// The metadata of a map whose XMP has this description.
  private func metadata(_ description: String) throws -> GainMap.Metadata? {
    var file = plain
    file.metadata = Self.packet(description)
    return try ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap?.metadata
  }

  /// The same with its namespace.
  private func declared(_ text: String) throws -> GainMap.Metadata? {
    try metadata("<r:Description xmlns:h='\(Self.address)' \(text) />")
  }

  @Test("Properties are found by their namespace, whatever its prefix is, and not outside of a description")
  func namespaces() throws {
    let expected = GainMap.Metadata(GainMap.Channel(maximum: 2), headroom: 3)
    for prefix in ["h", "hdrgm", "aZ", "h0", "_", "h-", "é"] {
      let properties = Self.usual.replacing("h:", with: prefix + ":")
      #expect(
        try metadata("<r:Description xmlns:\(prefix) = \"\(Self.address)\" \(properties)/>") == expected,
        "\(prefix)")
    }
    for (address, element) in [
      (Self.address + "more", "r:Description"), ("more" + Self.address, "r:Description"),
      (Self.address, "r:Other"),
      (Self.address, "Description"),
    ] {
      #expect(
        try metadata("<\(element) xmlns:h='\(address)' \(Self.usual)/>") == nil, "\(address) \(element)")
    }
    let twice = "<r:Description/><r:Description xmlns:h='\(Self.address)' \(Self.usual)/>"
    #expect(try metadata(twice) == expected)
  }

  @Test("A packet that is not well-formed has no gain map, and the image stays")
  func notWellFormed() throws {
    #expect(try declared(Self.usual) != nil)
    for text in [
      "b='2", "b=2", "b", "b=", "b='<'", "b='&x;'", "><",
    ] {
      #expect(try declared("\(Self.usual) \(text)") == nil, "\(text)")
    }
  }

  @Test("An element has one text or those of its items, without spaces around them")
  func elements() throws {
    func maximum(_ text: String) throws -> [Double]? {
      let all = try metadata(
        "<r:Description xmlns:h='\(Self.address)' h:Version='1' h:HDRCapacityMax='3'>\(text)</r:Description>")
      return all.map { [$0.red.maximum, $0.green.maximum, $0.blue.maximum] }
    }
    for (text, expected) in [
      ("<h:GainMapMax>2</h:GainMapMax>", [2, 2, 2]),
      ("<h:GainMapMax x='9'> \r\n2\t</h:GainMapMax>", [2, 2, 2]),
      (
        "<h:GainMapMax><r:Seq><r:li>1</r:li>  <r:li> 2 </r:li><r:li>3</r:li></r:Seq></h:GainMapMax>",
        [1, 2, 3]
      ),
      ("<h:GainMapMax>1, 2 3</h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax>1,2,3</h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax> </h:GainMapMax>", nil), ("<h:GainMapMax/>", nil),
      ("<h:GainMapMax>1 2</h:GainMapMax>", nil), ("<h:GainMapMax>1 2 3 3</h:GainMapMax>", nil),
      ("<h:GainMapMax>2 x</h:GainMapMax>", nil),
      ("<h:GainMapMaximum>9</h:GainMapMaximum><h:GainMapMax>2</h:GainMapMax>", [2, 2, 2]),
    ] as [(String, [Double]?)] {
      #expect(try maximum(text) == expected, "\(text)")
    }
  }

  @Test("Each property has its own value or its default, and an HDR image has no map")
  func properties() throws {
    let usual = GainMap.Metadata(GainMap.Channel(maximum: 2), headroom: 3)
    #expect(try declared(Self.usual) == usual)
    var changed = usual
    changed.baseHeadroom = 0.5
    #expect(try declared(Self.usual + " h:HDRCapacityMin='0.5'") == changed)
    for (name, path) in [
      ("GainMapMin", \.minimum), ("Gamma", \.gamma), ("OffsetSDR", \.baseOffset), ("OffsetHDR", \.offset),
    ] as [(String, WritableKeyPath<GainMap.Channel, Double>)] {
      var (red, green, blue) = (usual.red, usual.green, usual.blue)
      (red[keyPath: path], green[keyPath: path], blue[keyPath: path]) = (0.25, 0.5, 0.75)
      let expected = GainMap.Metadata(red: red, green: green, blue: blue, headroom: 3)
      #expect(try declared(Self.usual + " h:\(name)='0.25,0.5,0.75'") == expected, "\(name)")
      #expect(try declared(Self.usual + " h:\(name)='a'") == nil, "\(name)")
    }
    for (value, isRead) in [("False", true), ("True", false), ("true", false), ("TRUE", false)] {
      #expect(try (declared(Self.usual + " h:BaseRenditionIsHDR='\(value)'") != nil) == isRead)
    }
    for word in ["h:Version='1.0'", "h:GainMapMax='2'", "h:HDRCapacityMax='3'"] {
      #expect(try declared(Self.usual.replacing(word, with: "")) == nil, "\(word)")
    }
  }

  @Test("A directory in XMP has the lengths of its images, as attributes or elements")
  func directory() throws {
    for count in [0, 1, 150] {
      var file = plain
      file.index = .directory
      file.others = (0..<count).map { [UInt8($0)] }
      #expect(try ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap != nil, "\(count)")
    }
    // Lengths up to that of the whole file, which is an image with the metadata of a map.
    for (error, isFound) in [(0, true), (1, false)] {
      for item in [
        "<C:Item I:Semantic='GainMap' I:Length='%'/>",
        "<C:Item><I:Semantic>GainMap</I:Semantic><I:Length>%</I:Length></C:Item>",
      ] {
        func file(_ length: Int) -> [UInt8] {
          let properties = "xmlns:h='\(Self.address)' \(Self.usual)"
          let namespaces =
            "xmlns:C='http://ns.google.com/photos/1.0/container/' xmlns:I='http://ns.google.com/photos/1.0/container/item/'"
          let items = "<C:Item/>\(item.replacing("%", with: "\(length)"))"
          return plain.main.addingToJPEG(
            Self.packet("<r:Description \(properties) \(namespaces)>\(items)</r:Description>"))
        }
        let own = file(file(1_000).count + error)
        try #require(own.count == file(1_000).count)
        #expect(try (ImageDecoder.decode(own, options: GainMaps.decoding).gainMap != nil) == isFound)
      }
    }
  }
}
