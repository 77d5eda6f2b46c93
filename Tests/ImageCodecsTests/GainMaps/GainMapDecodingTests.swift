import ImageCodecs
import Testing

@Suite("Gain maps: decoding")
struct GainMapDecodingTests {
  private static func file() throws -> GainMapFile {
    try GainMapFile(Samples.picture(64, 48, .rgb8), map: Samples.picture(32, 24, .gray8))
  }

  private func decode(_ file: GainMapFile) throws -> Image {
    try ImageDecoder.decode(file.bytes, options: GainMaps.decoding)
  }

  @Test(
    "Files of other programs are reconstructed as libultrahdr does it",
    arguments: [("iso", Image.PixelFormat.rgb8, 38.0), ("xmp", .gray8, 60.0)])
  func files(name: String, format: Image.PixelFormat, least: Double) throws {
    let image = try Files.image("gain-map-\(name).jpg", GainMaps.decoding)
    var expected = try Files.image("expected-gain-map-\(name).png", DecodingOptions(keepsDepth: true))
    expected.colorSpace = .untagged

    #expect(image.gainMap?.image.pixelFormat == format)
    let likeness = try image.highDynamicRange().roots().wideLikeness(to: expected)
    #expect(likeness > least, "\(likeness) dB")
    // Without its gain map, the image is another one.
    #expect(try image.highDynamicRange(headroom: 0).roots().wideLikeness(to: expected) < 30)
  }

  @Test("The image is the same with and without its gain map, which is decoded on request only")
  func sameImage() throws {
    let bytes = try Self.file().bytes

    let plain = try ImageDecoder.decode(bytes)
    var image = try ImageDecoder.decode(bytes, options: GainMaps.decoding)

    #expect(plain.gainMap == nil)
    #expect(image.gainMap?.image.size == PixelSize(width: 32, height: 24))
    #expect(image.gainMap?.metadata == GainMaps.metadata)
    #expect(image != plain)
    image.gainMap = nil
    #expect(image == plain)
    #expect(try ImageDecoder.decode(Files.bytes("baseline.jpg"), options: GainMaps.decoding).gainMap == nil)
  }

  private static let three = GainMap.Metadata(
    red: GainMap.Channel(minimum: -1, maximum: 2, gamma: 2, baseOffset: 0.5, offset: 0.25),
    green: GainMap.Channel(minimum: 0, maximum: 3, gamma: 1, baseOffset: 0, offset: 0),
    blue: GainMap.Channel(minimum: 0.5, maximum: 4, gamma: 0.5, baseOffset: 1, offset: -1), baseHeadroom: 1,
    headroom: 4)
  private static let attributes =
    "h:Version='1.0' h:HDRCapacityMin = '1' h:HDRCapacityMax='4' h:BaseRenditionIsHDR='False'"
  private static let lists = [
    "GainMapMin": "-1 0 0.5", "GainMapMax": "2 3 4", "Gamma": "2 1 0.5", "OffsetSDR": "0.5 0 1",
    "OffsetHDR": "0.25 0 -1",
  ]
  private static let elements = lists.map { name, list in
    let items = list.split(separator: " ").map { "<rdf:li>\n\($0) </rdf:li>" }
    return "<h:\(name)> <rdf:Seq>\(items.joined(separator: "\n"))</rdf:Seq> </h:\(name)>"
  }
  /// Fractions with a denominator each: three numbers of one denominator, or of their own.
  private static let numbers =
    [1, 1, 4, 1, -2, 2, 2, 1, 2, 1, 1, 2, 1, 4, 0, 9, 3, 1, 1, 1, 0, 7, 0, 5, 1, 2, 4, 1]
    + [1, 2, 1, 1, -1, 1]

  static let forms: [(String, GainMap.Metadata, [UInt8])] = [
    ("attributes", GainMaps.metadata, GainMapFile.xmp(GainMapFile.usual)),
    ("elements", three, GainMapFile.xmp(attributes, elements: elements.joined(), prefix: "h")),
    (
      "one element each", GainMaps.metadata,
      GainMapFile.xmp(
        "a:Version='1.0'", elements: "<a:GainMapMax>3</a:GainMapMax><a:HDRCapacityMax> 3 </a:HDRCapacityMax>",
        prefix: "a")
    ),
    ("fractions", three, GainMapFile.iso(flags: 0x80, numbers)),
    (
      "one denominator", GainMap.Metadata(GainMap.Channel(maximum: 2, baseOffset: 0, offset: 0), headroom: 2),
      GainMapFile.iso(flags: 0x48, [2, 0, 4, 0, 4, 2, 0, 0])
    ),
    ("both", three, GainMapFile.xmp(GainMapFile.usual) + GainMapFile.iso(flags: 0x80, numbers)),
    (
      "a damaged one of both", GainMaps.metadata,
      GainMapFile.iso(flags: 0, [1]) + GainMapFile.xmp(GainMapFile.usual)
    ),
  ]

  @Test("Metadata is read from XMP and from ISO 21496-1, which takes precedence", arguments: forms.indices)
  func metadata(index: Int) throws {
    let (name, expected, segments) = Self.forms[index]
    var file = try Self.file()
    file.metadata = segments

    #expect(try decode(file).gainMap?.metadata == expected, "\(name)")
  }

  @Test("The map is found by the multi-picture index of either byte order, or by the directory in XMP")
  func places() throws {
    for index in [GainMapFile.Index.bigEndian, .littleEndian, .directory] {
      for others in [[], [Array("a film".utf8)]] {
        var file = try Self.file()
        (file.index, file.others) = (index, others)
        #expect(try decode(file).gainMap?.metadata == GainMaps.metadata, "\(index), \(others.count)")
      }
    }
    var file = try Self.file()
    file.index = .none
    #expect(try decode(file).gainMap == nil)
  }

  static let damages: [(String, @Sendable (inout GainMapFile) throws -> Void)] = [
    ("a place outside of the file", { $0.placeError = 1 << 30 }),
    ("a place within the image", { $0.placeError = -40 }),
    ("a size beyond the file", { $0.sizeError = 1 }),
    ("a size of a part", { $0.sizeError = -300 }),
    ("no JPEG", { $0.map = [UInt8](repeating: 7, count: $0.map.count) }),
    ("half of the map", { $0.map = Array($0.map.prefix($0.map.count / 2)) }),
    ("no pixels", { $0.map = Array($0.map.prefix(60)) }),
    ("no metadata", { $0.metadata = [] }),
    ("no maximum", { $0.metadata = GainMapFile.xmp(#"hdrgm:Version="1.0" hdrgm:HDRCapacityMax="3""#) }),
    ("no version", { $0.metadata = GainMapFile.xmp(#"hdrgm:GainMapMax="3" hdrgm:HDRCapacityMax="3""#) }),
    ("a word", { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:Gamma="big""#) }),
    ("no number", { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:OffsetSDR="nan""#) }),
    ("two numbers", { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:GainMapMin="0 1""#) }),
    ("a gamma of zero", { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:Gamma="0""#) }),
    (
      "no range of headroom",
      { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:HDRCapacityMin="3""#) }
    ),
    (
      "an HDR image",
      { $0.metadata = GainMapFile.xmp(GainMapFile.usual + #" hdrgm:BaseRenditionIsHDR="True""#) }
    ),
    ("another namespace", { $0.metadata = GainMapFile.xmp(GainMapFile.usual, prefix: "other") }),
    ("another version", { $0.metadata = GainMapFile.iso(flags: 8, [2, 0, 4, 0, 4, 2, 0, 0], version: 1) }),
    ("an HDR image after ISO", { $0.metadata = GainMapFile.iso(flags: 12, [2, 0, 4, 0, 4, 2, 0, 0]) }),
    ("a denominator of zero", { $0.metadata = GainMapFile.iso(flags: 8, [0, 0, 4, 0, 4, 2, 0, 0]) }),
    ("a gain of a hundred stops", { $0.metadata = GainMapFile.iso(flags: 8, [1, 0, 4, 0, 100, 1, 0, 0]) }),
    (
      "a directory beyond the file",
      {
        $0.index = .directory
        $0.others = [[]]
      }
    ),
  ]

  @Test("A damaged gain map is no error: the image has none", arguments: damages.indices)
  func damaged(index: Int) throws {
    let (name, damage) = Self.damages[index]
    var file = try Self.file()
    try damage(&file)

    let image = try decode(file)

    #expect(image.gainMap == nil, "\(name)")
    #expect(image == (try ImageDecoder.decode(file.bytes)), "\(name)")
  }

  @Test("A gain map that exceeds the limits is dropped, and the image stays")
  func limits() throws {
    let large = try GainMapFile(Samples.picture(64, 48, .rgb8), map: Samples.picture(200, 150, .gray8))
    func gainMap(_ file: GainMapFile, _ change: (inout DecodingLimits) -> Void) throws -> GainMap? {
      var options = GainMaps.decoding
      change(&options.limits)
      return try ImageDecoder.decode(file.bytes, options: options).gainMap
    }

    // It is never larger than its image.
    #expect(try gainMap(large) { _ in }?.image.size == PixelSize(width: 64, height: 48))
    #expect(try gainMap(large) { $0.maximumSide = 199 } == nil)
    #expect(try gainMap(large) { $0.maximumSide = 200 } != nil)
    // The bytes of both are counted.
    let equal = try GainMapFile(Samples.picture(64, 48, .rgb8), map: Samples.picture(64, 48, .gray8))
    #expect(try gainMap(equal) { $0.maximumDecodedBytes = 64 * 48 * 4 - 1 } == nil)
    #expect(try gainMap(equal) { $0.maximumDecodedBytes = 64 * 48 * 4 } != nil)
  }

  @Test("Cancellation and the deadline also stop the decoding of a gain map")
  func interrupted() throws {
    let bytes = try GainMapFile(Samples.picture(64, 48, .rgb8), map: Samples.picture(64, 48, .gray8)).bytes
    var calls = 0
    _ = try ImageDecoder.decode(bytes, options: GainMaps.decoding) {
      calls += 1
      return false
    }
    var left = calls - 1

    #expect(throws: ImageCodecError.cancelled) {
      try ImageDecoder.decode(bytes, options: GainMaps.decoding) {
        left -= 1
        return left < 0
      }
    }
  }

  @Test("A gain map is turned with the orientation of its image")
  func orientation() throws {
    let (upright, map) = (try Samples.picture(64, 48, .rgb8), try Samples.picture(32, 24, .gray8))
    for orientation in ImageOrientation.allCases {
      var file = try GainMapFile(upright, map: map)
      let exif = Exif.data(orientation: orientation.rawValue, bigEndian: true)
      file.main = file.main.addingToJPEG(Exif.segment(exif))

      let found = try #require(try decode(file).gainMap?.image)

      let stored = try ImageDecoder.decode(file.map)
      #expect(found.bytes == (try stored.oriented(orientation).bytes), "\(orientation)")
    }
  }

  @Test("A reduced image has a gain map that is reduced as well, but not below the image")
  func reduced() throws {
    let file = try GainMapFile(Samples.picture(640, 480, .rgb8), map: Samples.picture(320, 240, .gray8))
    let sizes: [(ResizeTarget, PixelSize)] = [
      (.fitting(480), PixelSize(width: 320, height: 240)), (.fitting(80), PixelSize(width: 80, height: 60)),
      (ResizeTarget(width: 60, height: 60, crops: true), PixelSize(width: 60, height: 60)),
    ]
    for (target, size) in sizes {
      let options = DecodingOptions(target: target, keepsGainMap: true)
      let image = try ImageDecoder.decode(file.bytes, options: options)
      let whole = try decode(file).resized(to: target)

      #expect(image.gainMap?.image.size == size)
      #expect(try #require(image.gainMap).image.likeness(to: #require(whole.gainMap).image) > 38)
    }
  }

  @Test("A part of a file has its image without the gain map, which is at the end")
  func part() throws {
    let bytes = try Self.file().bytes

    let part = try ImageDecoder.decodeAvailable(Array(bytes.dropLast(50)), options: GainMaps.decoding)

    #expect(part.isComplete)
    #expect(part.image.gainMap == nil)
  }
}
