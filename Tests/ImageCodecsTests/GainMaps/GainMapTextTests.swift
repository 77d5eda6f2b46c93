import ImageCodecs
import Testing

@Suite("Gain maps: XMP of any form")
struct GainMapTextTests {
  private static let address = "http://ns.adobe.com/hdr-gain-map/1.0/"
  private static let usual = "h:Version='1.0' h:GainMapMax='2' h:HDRCapacityMax='3'"
  private let plain: GainMapFile

  init() throws { plain = try GainMapFile(Samples.picture(16, 8, .rgb8), map: Samples.picture(8, 8, .gray8)) }

  /// The metadata of a map whose XMP is this text.
  private func metadata(_ text: String) throws -> GainMap.Metadata? {
    var file = plain
    file.metadata = JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8))
    return try ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap?.metadata
  }

  /// The same with its namespace.
  private func declared(_ text: String) throws -> GainMap.Metadata? {
    try metadata("<a xmlns:h='\(Self.address)' \(text) />")
  }

  @Test("The prefix of the namespace is found in any declaration, and in nothing else")
  func prefixes() throws {
    let expected = GainMap.Metadata(GainMap.Channel(maximum: 2), headroom: 3)
    for declaration in [
      "xmlns:h='%'", "xmlns:h=\"%\"", "xmlns:h = '%'", "xmlns:h\t\n\u{B}\u{C}\r=\r\n'%'", "b='%' xmlns:h='%'",
      "% xmlns:h='%'",
      "xmlns:='%' xmlns:h='%'", "b='%more' xmlns:h='%'", "xmlns:h='%' xmlns:i='%'",
    ] {
      let text = "<a \(declaration.replacing("%", with: Self.address)) \(Self.usual) />"
      #expect(try metadata(text) == expected, "\(declaration)")
    }
    for prefix in ["aZ", "zA", "h0", "h9", "_", "h-", "h.", "é"] {
      let text = "<a xmlns:\(prefix)='\(Self.address)' \(Self.usual.replacing("h:", with: prefix + ":"))/>"
      #expect(try metadata(text) == expected, "\(prefix)")
    }
    for declaration in [
      "xmlns:h= % ", "xmlns:h=%", "xmlns:h='%\"", "xmlns:h='%more'", "xmlns:h='more%'", "xmlnq:h='%'",
      "h='%'", "xmlns:h x='%'",
      "xmlns:h'%", "b:xmlns='%'",
    ] {
      let text = "<a \(declaration.replacing("%", with: Self.address)) \(Self.usual) />"
      #expect(try metadata(text) == nil, "\(declaration)")
    }
    let unnamed = "<a xmlns:='\(Self.address)' \(Self.usual.replacing("h:", with: ":"))/>"
    #expect(try metadata(unnamed) == nil)
    for end in [
      "xmlns:h='\(Self.address)", "xmlns:h='\(Self.address)'", "xmlns:h='\(Self.address.dropLast())",
    ] {
      #expect(try metadata("<a \(Self.usual) \(end)") == (end.hasSuffix("'") ? expected : nil), "\(end)")
    }
  }

  @Test("The value of an attribute is between quotes, behind a name that ends where it does")
  func attributes() throws {
    let rest = "h:Version='1.0' h:HDRCapacityMax='3'"
    for (text, maximum) in [
      ("h:GainMapMax='2'", 2), ("h:GainMapMax=\"2\"", 2), ("h:GainMapMax \t\r\n= '2'", 2),
      ("h:GainMapMax=9 h:GainMapMax='2'", 2),
      ("h:GainMapMaximum='9' h:GainMapMax='2'", 2), ("h:GainMapMax9='9' h:GainMapMax='2'", 2),
      ("h:GainMapMax:x='9' h:GainMapMax='2'", 2),
      ("<b>h:GainMapMax >9<c/></b> h:GainMapMax='2'", 2), ("h:GainMapMax='2' h:GainMapMax='9'", 2),
      ("h:GainMapMax='2", nil),
      ("h:GainMapMax=2", nil), ("h:GainMapMax", nil), ("h:GainMapMax=", nil), ("i:GainMapMax='2'", nil),
    ] as [(String, Double?)] {
      #expect(try declared("\(rest) \(text)")?.red.maximum == maximum, "\(text)")
    }
    for letter in ["0", "9", ":", "A", "Z", "a", "z", "_", "-", ".", "é"] {
      #expect(
        try declared("\(rest) \(letter)h:GainMapMax='9' h:GainMapMax='2'")?.red.maximum == 2, "\(letter)")
    }
    for sign in ["/", ";", "@", "[", "`", "{", "'"] {
      #expect(try declared("\(rest) \(sign)h:GainMapMax='2' h:GainMapMax='9'")?.red.maximum == 2, "\(sign)")
    }
    // The packet ends with the name.
    #expect(
      try metadata("<a xmlns:h='\(Self.address)' h:GainMapMax='2' h:HDRCapacityMax='3' h:Version") == nil)
  }

  @Test("An element has one text or those of its items, without spaces around them")
  func elements() throws {
    func maximum(_ text: String) throws -> [Double]? {
      let all = try metadata("<a xmlns:h='\(Self.address)' h:Version='1' h:HDRCapacityMax='3'>\(text)</a>")
      return all.map { [$0.red.maximum, $0.green.maximum, $0.blue.maximum] }
    }
    for (text, expected) in [
      ("<h:GainMapMax>2</h:GainMapMax>", [2, 2, 2]),
      ("<h:GainMapMax x='9'> \r\n2\t</h:GainMapMax>", [2, 2, 2]),
      ("<h:GainMapMax><b><c>1</c>  <c> 2 </c><c>3</c></b></h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax>1, 2 3</h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax>1,2,3</h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax>1<c>2</c>3</h:GainMapMax>", [1, 2, 3]),
      ("<h:GainMapMax>2", nil), ("<h:GainMapMax>", nil), ("<h:GainMapMax", nil),
      ("<h:GainMapMax> </h:GainMapMax>", nil),
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

  @Test("A directory in XMP has at most a hundred items")
  func directory() throws {
    for (count, isFound) in [(98, true), (99, false)] {
      var file = plain
      file.index = .directory
      file.others = (0..<count).map { [UInt8($0)] }
      #expect(try (ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap != nil) == isFound)
    }
    // Lengths up to that of the whole file, which is an image with the metadata of a map.
    for (error, isFound) in [(0, true), (1, false)] {
      func file(_ length: Int) -> [UInt8] {
        let text =
          "<a xmlns:h='\(Self.address)' \(Self.usual) xmlns:C='http://ns.google.com/photos/1.0/container/' "
          + "xmlns:I='http://ns.google.com/photos/1.0/container/item/'><C:Item/><C:Item I:Semantic='GainMap' I:Length='\(length)'/></a>"
        return plain.main.addingToJPEG(
          JPEGFile.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8)))
      }
      let own = file(file(1_000).count + error)
      try #require(own.count == file(1_000).count)
      #expect(try (ImageDecoder.decode(own, options: GainMaps.decoding).gainMap != nil) == isFound)
    }
  }
}
