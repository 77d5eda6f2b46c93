import Foundation
import ImageCodecs
import Testing

@Suite("Gain maps of AVIF and HEIC")
struct BoxesGainMapTests {
  enum Kind: String, CaseIterable {
    case avif, heic

    func encode(_ image: Image, quality: Double = 0.9) throws -> [UInt8] {
      try ImageEncoder.encode(image, as: self == .avif ? .avif(quality: quality) : .heic(quality: quality))
    }
  }

  /// The content of a derived image: a gain of up to three stops, with denominators of 64.
  private static let toneMap: [UInt8] =
    [0, 0, 0, 0, 0, 0x40]
    + [0, 1, 3, 1, 0, 1, 3, 1, 1, 1, 1, 64, 1, 64].flatMap { (number: Int) -> [UInt8] in
      big(number, count: 4)
    }

  /// The main image, its gain map, and the image derived from both.
  private static func file(
    _ kind: Kind, _ image: Image, map: Image, content: [UInt8] = toneMap
  ) throws -> BoxesFile {
    var file = try BoxesFile(kind.encode(image), brand: kind.rawValue)
    let size = file.items[0].properties.filter { $0[4...].starts(with: "ispe".utf8) }
    file.items += [
      try BoxesFile.image(kind.encode(map), brand: kind.rawValue),
      BoxesFile.Item(type: "tmap", data: content, properties: size),
    ]
    file.references = [("dimg", 3, [1, 2])]
    return file
  }

  private static func usual(_ kind: Kind) throws -> BoxesFile {
    try file(kind, Samples.picture(128, 96, .rgb8), map: Samples.picture(64, 64, .rgb8))
  }

  private func decode(_ file: BoxesFile) throws -> Image { try decode(file.bytes) }

  private func decode(_ file: [UInt8]) throws -> Image {
    try ImageDecoder.decode(file, options: GainMaps.decoding)
  }

  @Test("A file of another program is reconstructed as libavif does it")
  func otherFile() throws {
    let image = try Files.image("gain-map.avif", GainMaps.decoding)
    var expected = try Files.image("expected-gain-map-avif.png", DecodingOptions(keepsDepth: true))
    expected.colorSpace = .untagged

    let metadata = try #require(image.gainMap?.metadata)
    #expect(metadata.headroom == 14_064_117.0 / 8_388_608 && metadata.baseHeadroom == 0)
    #expect(metadata.red.maximum == 3_358_351.0 / 2_097_152)
    #expect(image.gainMap?.image.size == PixelSize(width: 48, height: 36))
    let likeness = try image.highDynamicRange().roots().wideLikeness(to: expected)
    #expect(likeness > 40, "\(likeness) dB")
    #expect(try image.highDynamicRange(headroom: 0).roots().wideLikeness(to: expected) < 30)
  }

  private static let program = "/usr/bin/avifgainmaputil"

  @Test(
    "`avifgainmaputil` finds the gain map of an AVIF, and the same numbers",
    .enabled(if: FileManager.default.isExecutableFile(atPath: program), "avifgainmaputil is not installed"))
  func otherProgram() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).avif")
    try Data(Kind.avif.encode(GainMaps.photograph())).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = ["printmetadata", file.path]
    process.standardOutput = output

    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()

    #expect(text.contains("Alternate headroom: 3 ") && text.contains("Gain Map Max:       R 3 "), "\(text)")
    #expect(text.contains("Base Offset:        R 0.015625 "), "\(text)")
  }

  @Test(
    "The map of a derived image is decoded on request, and the image is the same", arguments: Kind.allCases)
  func decoded(kind: Kind) throws {
    let file = try Self.usual(kind)

    var image = try decode(file)

    let map = try ImageDecoder.decode(kind.encode(Samples.picture(64, 64, .rgb8)))
    #expect(image.gainMap?.image.bytes == map.bytes)
    #expect(image.gainMap?.metadata == GainMaps.metadata)
    image.gainMap = nil
    #expect(image == (try ImageDecoder.decode(file.bytes)))
    #expect(image == (try ImageDecoder.decode(kind.encode(Samples.picture(128, 96, .rgb8)))))
  }

  @Test("A map of a gray AVIF is gray")
  func gray() throws {
    let stored = try Kind.avif.encode(Samples.picture(64, 64, .gray8))
    let file = try Self.file(.avif, Samples.picture(128, 96, .rgb8), map: Samples.picture(64, 64, .gray8))

    let map = try #require(try decode(file).gainMap?.image)

    #expect(map.pixelFormat == .gray8)
    let colors = try ImageDecoder.decode(stored)
    #expect(colors.bytes.enumerated().allSatisfy { $0.element == map.bytes[$0.offset / 3] })
  }

  @Test("A map larger than its image is reduced to it", arguments: Kind.allCases)
  func large(kind: Kind) throws {
    let file = try Self.file(kind, Samples.picture(64, 64, .rgb8), map: Samples.picture(200, 150, .rgb8))

    #expect(try decode(file).gainMap?.image.size == PixelSize(width: 64, height: 64))
    var options = GainMaps.decoding
    options.limits.maximumSide = 199
    #expect(try ImageDecoder.decode(file.bytes, options: options).gainMap == nil)
  }

  @Test("A map is turned with its image", arguments: Kind.allCases)
  func turned(kind: Kind) throws {
    var file = try Self.usual(kind)
    let upright = try #require(try decode(file).gainMap?.image)
    for item in 0...2 { file.items[item].properties.append(BoxesFile.box("irot", [1])) }

    let image = try decode(file)

    #expect(image.size == PixelSize(width: 96, height: 128))
    #expect(image.gainMap?.image.bytes == (try upright.oriented(.left).bytes))
  }

  static let damages: [(String, @Sendable (inout BoxesFile) -> Void)] = [
    ("another version", { $0.items[2].data[0] = 1 }),
    ("another version of the metadata", { $0.items[2].data[2] = 1 }),
    ("short metadata", { $0.items[2].data.removeLast() }),
    ("no metadata", { $0.items[2].data = [] }),
    ("too much metadata", { $0.items[2].data += [UInt8](repeating: 0, count: 1_000) }),
    ("a denominator of zero", { $0.items[2].data[13] = 0 }),
    ("an HDR image", { $0.items[2].data[9] = 4 }),
    ("the image as its map", { $0.references[0].to = [1, 1] }),
    ("a missing map", { $0.references[0].to = [1, 9] }),
    ("no map", { $0.references[0].to = [1] }),
    ("the map of another image", { $0.references[0].to = [2, 1] }),
    ("no derived image", { $0.items[2].type = "free" }),
    ("no reference", { $0.references = [] }),
    ("no pixels", { $0.items[1].data = [UInt8](repeating: 0, count: $0.items[1].data.count) }),
    ("half of the pixels", { $0.items[1].data = Array($0.items[1].data.prefix(40)) }),
  ]

  @Test("A damaged gain map is no error: the image has none", arguments: Kind.allCases, damages.indices)
  func damaged(kind: Kind, index: Int) throws {
    let (name, damage) = Self.damages[index]
    var file = try Self.usual(kind)
    let expected = try ImageDecoder.decode(file.bytes)
    damage(&file)

    #expect(try decode(file) == expected, "\(name)")
  }

  @Test("A file whose brand promises a gain map that is not there is decoded without one")
  func promised() throws {
    var bytes = try Files.bytes("gain-map.avif")
    let expected = try ImageDecoder.decode(bytes)
    let derived = try #require(bytes.positions(of: Array("tmapGMap".utf8)).first)
    bytes.replaceSubrange(derived..<derived + 4, with: Array("free".utf8))

    #expect(try decode(bytes) == expected)
  }

  @Test("An AVIF keeps the gain map, so that HDR of the file is HDR of the image; a HEIC has none")
  func roundTrip() throws {
    let photograph = try GainMaps.photograph()

    let file = try Kind.avif.encode(photograph, quality: 0.95)
    let image = try ImageDecoder.decode(file, options: GainMaps.decoding)

    #expect(image.gainMap?.metadata == GainMaps.metadata)
    #expect(image.gainMap?.image.pixelFormat == .gray8)
    let likeness = try image.highDynamicRange().roots().wideLikeness(
      to: photograph.highDynamicRange().roots())
    #expect(likeness > 35, "\(likeness) dB")
    var plain = photograph
    plain.gainMap = nil
    #expect(try ImageDecoder.decode(file) == ImageDecoder.decode(Kind.avif.encode(plain, quality: 0.95)))
    let other = try Kind.heic.encode(photograph.resized(to: .fitting(64)))
    #expect(try ImageDecoder.decode(other, options: GainMaps.decoding).gainMap == nil)
  }

  @Test("Transparency, a profile and metadata are kept beside a gain map")
  func everything() throws {
    var image = try Samples.picture(96, 80, .rgba8)
    image.colorSpace = .profile(try #require(ICCProfile.displayP3))
    image.gainMap = try GainMap(image: Samples.picture(64, 64, .gray8), metadata: GainMaps.metadata)
    var metadata = ImageMetadata()
    metadata.xmp = XMPData(
      bytes: Array(
        """
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:rights><rdf:Alt>\
        <rdf:li xml:lang='x-default'>Ada</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8))

    let file = try ImageEncoder.encode(
      image, as: .avif(), keeping: .copyright, of: metadata)
    let options = DecodingOptions(colors: .asStored, keepsGainMap: true)
    let found = try ImageDecoder.decode(file, options: options)

    #expect(found.pixelFormat == .rgba8 && found.colorSpace == image.colorSpace)
    #expect(found.gainMap?.metadata == GainMaps.metadata)
    #expect(try ImageMetadata(of: file).copyright == "Ada")
  }

  @Test("Gains of three colors are written to an AVIF and read again")
  func threeChannels() throws {
    var image = try Samples.picture(96, 80, .rgb8)
    let channels = [(-1.0, 2.0), (0, 3), (0.5, 4)].map { GainMap.Channel(minimum: $0, maximum: $1) }
    let metadata = GainMap.Metadata(
      red: channels[0], green: channels[1], blue: channels[2], baseHeadroom: 1, headroom: 4)
    image.gainMap = try GainMap(image: Samples.picture(64, 64, .rgb8), metadata: metadata)

    let found = try ImageDecoder.decode(Kind.avif.encode(image), options: GainMaps.decoding)

    #expect(found.gainMap?.metadata == metadata)
    #expect(try #require(found.gainMap).image.likeness(to: Samples.picture(64, 64, .rgb8)) > 25)
  }
}
