import ImageCodecs
import Testing

@Suite("Kept XMP")
struct XMPKeepingTests {
  private static let addresses = [
    "tiff": "http://ns.adobe.com/tiff/1.0/", "exif": "http://ns.adobe.com/exif/1.0/",
    "xmp": "http://ns.adobe.com/xap/1.0/",
    "photoshop": "http://ns.adobe.com/photoshop/1.0/", "crs": "http://ns.adobe.com/camera-raw-settings/1.0/",
    "note": "http://ns.adobe.com/xmp/note/", "pano": "http://ns.google.com/photos/1.0/panorama/",
    "hdrgm": "http://ns.adobe.com/hdr-gain-map/1.0/", "hdr": "http://ns.apple.com/HDRGainMap/1.0/",
    "own": "urn:own",
    "dc": "http://purl.org/dc/elements/1.1/", "rights": "http://ns.adobe.com/xap/1.0/rights/",
    "ext": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "regions": "http://www.metadataworkinggroup.com/schemas/regions/",
    "people": "http://ns.microsoft.com/photo/1.2/", "faces": "http://ns.apple.com/faceinfo/1.0/",
  ]
  private static let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"

  /// A document with properties, without the element around the graph.
  private func document(_ content: String, attributes: String = "") -> String {
    let declarations = Self.addresses.map { "xmlns:\($0)='\($1)'" }.sorted().joined(separator: " ")
    return
      "<rdf:RDF \(Self.rdf) \(declarations)><rdf:Description rdf:about='' \(attributes)>\(content)</rdf:Description></rdf:RDF>"
  }

  private func written(
    _ text: String, _ kept: KeptMetadata, _ change: (inout ImageMetadata) -> Void = { _ in }
  ) throws -> XMPData? {
    var metadata = ImageMetadata()
    metadata.xmp = XMPData(bytes: Array(text.utf8))
    change(&metadata)
    let file = try ImageEncoder.encode(Samples.flat(2, 2, [1, 2, 3]), as: .png, keeping: kept, of: metadata)
    return try ImageMetadata(of: file).xmp
  }

  private func values(_ xmp: XMPData?, _ name: String) -> [String] {
    let parts = name.split(separator: ":").map(String.init)
    return xmp?.values(Self.addresses[parts[0]] ?? "", parts[1]) ?? []
  }

  static let names: [(name: String, isKept: Bool)] = [
    ("tiff:Make", true), ("tiff:Model", true), ("tiff:Artist", true), ("tiff:Copyright", true),
    ("tiff:ImageDescription", true),
    ("tiff:Software", true), ("tiff:DateTime", true), ("tiff:Orientation", false), ("tiff:ImageWidth", false),
    ("exif:PixelXDimension", false), ("exif:PixelYDimension", false), ("exif:ColorSpace", false),
    ("exif:MakerNote", false),
    ("exif:FNumber", true), ("xmp:Thumbnails", false), ("xmp:Rating", true), ("photoshop:ICCProfile", false),
    ("photoshop:ColorMode", false), ("photoshop:DocumentAncestors", false), ("photoshop:Headline", true),
    ("crs:Tint", false),
    ("note:HasExtendedXMP", false), ("pano:Pose", false), ("hdrgm:Version", false), ("hdr:Version", false),
    ("own:Thumbnails", true),
    ("own:ColorSpace", true),
    // Places within the image: its pixels may have been turned or cut since.
    ("exif:SubjectArea", false), ("exif:SubjectLocation", false), ("exif:FocalPlaneXResolution", false),
    ("exif:FocalPlaneYResolution", false), ("exif:FocalPlaneResolutionUnit", false),
    ("regions:Regions", false), ("people:RegionInfo", false), ("faces:Faces", false),
    ("ext:ImageRegion", false),
    ("ext:PersonInImage", true),
  ]

  @Test(
    "Properties about the original file are removed, as attributes and as elements", arguments: names.indices)
  func aboutFile(index: Int) throws {
    let (name, isKept) = Self.names[index]
    let texts = [
      document("<own:a>A</own:a>", attributes: "\(name)='V'"),
      document("<own:a>A</own:a><\(name)>V</\(name)>"),
    ]
    for text in texts {
      let xmp = try written(text, .descriptions)
      #expect(values(xmp, name) == (isKept ? ["V"] : []))
      #expect(values(xmp, "own:a") == ["A"])
      // Of the structure in which it is.
      let inner = try written(
        document("<own:b rdf:parseType='Resource'><\(name)>V</\(name)></own:b><own:a>A</own:a>"),
        .descriptions)
      #expect(String(decoding: inner?.bytes ?? [], as: UTF8.self).contains(">V<") == isKept)
    }
  }

  @Test(
    "Positions are removed unless they are kept, whatever their namespace is",
    arguments: [
      "own:GPSx", "exif:gps", "own:CreationLatitude", "own:longitude", "own:RelativeAltitude", "own:GeoTag",
      "geo:lat", "geo:long", "geo:alt", "geo:lat_long", "geo:Point", "own:lon", "own:lng",
      "own:geo", "own:alt", "own:flat", "own:belongs",
    ])
  func positions(name: String) throws {
    let text = document("<own:a>A</own:a>", attributes: "\(name)='V'")
    let isPosition = !["own:geo", "own:alt", "own:flat", "own:belongs"].contains(name)
    #expect(try values(written(text, .descriptions), name) == (isPosition ? [] : ["V"]))
    #expect(try values(written(text, [.descriptions, .location]), name) == ["V"])
    #expect(try written(text, [.copyright]) == nil)
  }

  @Test("A position alone has four properties, and nothing is written without one")
  func location() throws {
    let names = ["exif:GPSLatitude", "exif:GPSLongitude", "exif:GPSAltitude", "exif:GPSAltitudeRef"]
    let attributes = names.map { "\($0)='\($0.count)'" }.joined(separator: " ")
    let text = document("<own:a>A</own:a>", attributes: attributes + " exif:GPSMapDatum='D' dc:format='F'")
    let xmp = try written(text, .location)

    for name in names { #expect(values(xmp, name) == ["\(name.count)"]) }
    #expect(values(xmp, "exif:GPSMapDatum") + values(xmp, "own:a") + values(xmp, "dc:format") == [])
    #expect(try written(document("<own:a>A</own:a>"), .location) == nil)
    #expect(try written(document("<xmp:Thumbnails>V</xmp:Thumbnails>"), .descriptions) == nil)
    #expect(try written(document("", attributes: "xmlns='urn:x'"), .descriptions) == nil)
    for attribute in ["own:about='x'", "rdf:ID='x'"] {
      #expect(try written(document("", attributes: attribute), .descriptions) != nil)
    }
    #expect(try written(text, .color) == nil && written(text, []) == nil)
  }

  /// How a property is written that another block has.
  private func property(_ name: String, _ form: String, _ values: [String]) -> String {
    let prefix = String(name.prefix { $0 != ":" })
    let address = Self.addresses[["xmpRights": "rights", "Iptc4xmpExt": "ext"][prefix] ?? prefix] ?? ""
    let language = form == "Alt" ? " xml:lang=\"x-default\"" : ""
    let items = values.map { "<rdf:li\(language)>\($0)</rdf:li>" }.joined()
    let content = form.isEmpty ? values[0] : "<rdf:\(form)>\(items)</rdf:\(form)>"
    return
      "<rdf:Description \(Self.rdf.replacing("'", with: "\"")) xmlns:\(prefix)=\"\(address)\" rdf:about=\"\">"
      + "<\(name)>\(content)</\(name)></rdf:Description>"
  }

  @Test("Texts of other blocks become properties in the forms of their definitions")
  func forms() throws {
    let sets: [(UInt8, String)] = [
      (80, "Ada"), (80, "Grace"), (116, "©"), (110, "Credit"), (115, "Source"), (5, "Title"),
      (120, "Caption"), (25, "a"), (25, "b"),
      (90, "City"), (101, "Country"),
    ]
    let rights = [
      property("dc:creator", "Seq", ["Ada", "Grace"]), property("dc:rights", "Alt", ["©"]),
      property("xmpRights:UsageTerms", "Alt", ["Terms"]), property("xmpRights:WebStatement", "", ["Page"]),
      property("photoshop:Credit", "", ["Credit"]), property("photoshop:Source", "", ["Source"]),
      property("Iptc4xmpExt:DigitalSourceType", "", ["Type"]),
    ]
    let descriptions = [
      property("dc:title", "Alt", ["Title"]), property("dc:description", "Alt", ["Caption"]),
      property("dc:subject", "Bag", ["a", "b"]),
      property("photoshop:City", "", ["City"]), property("photoshop:Country", "", ["Country"]),
    ]
    let own =
      "<rights:UsageTerms>Terms</rights:UsageTerms><rights:WebStatement>Page</rights:WebStatement>"
      + "<ext:DigitalSourceType>Type</ext:DigitalSourceType>"
    func text(_ properties: [String]) -> String {
      "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
        + Self.rdf.replacing("'", with: "\"") + ">" + properties.joined()
        + "</rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>"
    }
    let iptc = IPTCData(bytes: sets.flatMap { iptcSet($0, $1) })

    let alone = try #require(try written(document(own), .copyright) { $0.iptc = iptc })
    #expect(String(decoding: alone.bytes, as: UTF8.self) == text(rights))
    let all = try #require(try written("", .descriptions) { $0.iptc = iptc })
    let known = rights.filter { !$0.contains("Terms") && !$0.contains("Page") && !$0.contains("Type") }
    #expect(String(decoding: all.bytes, as: UTF8.self) == text(known + descriptions))
    // What the packet has is not replaced.
    let first = try written(document("<dc:title>First</dc:title>"), .descriptions) { $0.iptc = iptc }
    #expect(values(first, "dc:title") == ["First"] && values(first, "dc:description") == ["Caption"])
  }

  @Test("Special characters are written as references, and those that XML does not have are left out")
  func characters() throws {
    let texts = ["&<>\"'", "a\nb\tc\rd", "ä\u{10FFFF}\u{FFFD}", "a\u{1}\u{1F}b\u{FFFE}\u{FFFF}c"]
    let written = try texts.map { text in
      var metadata = ImageMetadata()
      metadata.texts = ["Title": text]
      let file = try ImageEncoder.encode(
        Samples.flat(2, 2, [1, 2, 3]), as: .png, keeping: .descriptions, of: metadata)
      return String(decoding: try #require(try ImageMetadata(of: file).xmp).bytes, as: UTF8.self)
    }
    let expected = ["&amp;&lt;&gt;&quot;'", "a&#10;b&#9;c&#13;d", "ä\u{10FFFF}\u{FFFD}", "abc"]
    for (found, text) in zip(written, expected) {
      #expect(found.contains("\"x-default\">\(text)</rdf:li>"), "\(text)")
    }
  }
}
