import Foundation
import ImageCodecs
import Testing

@Suite("Gain maps: encoding")
struct GainMapEncodingTests {
  private static let three = GainMap.Metadata(
    red: GainMap.Channel(minimum: -1, maximum: 2, gamma: 2, baseOffset: 0.5, offset: 0.25),
    green: GainMap.Channel(maximum: 3, baseOffset: 0, offset: 0),
    blue: GainMap.Channel(minimum: 0.5, maximum: 4, gamma: 0.7, baseOffset: 0.1, offset: -0.3),
    baseHeadroom: 0.1, headroom: 4.7)

  @Test("A JPEG keeps the gain map, so that HDR of the file is HDR of the image", arguments: [false, true])
  func roundTrip(isProgressive: Bool) throws {
    let photograph = try GainMaps.photograph()

    let file = try ImageEncoder.encode(photograph, as: .jpeg(quality: 0.95, progressive: isProgressive))
    let image = try ImageDecoder.decode(file, options: GainMaps.decoding)

    #expect(image.gainMap?.metadata == GainMaps.metadata)
    let likeness = try image.highDynamicRange().roots().wideLikeness(
      to: photograph.highDynamicRange().roots())
    #expect(likeness > 36, "\(likeness) dB")
  }

  @Test("Another reader finds the map, and its metadata in XMP and in ISO 21496-1")
  func otherReader() throws {
    let photograph = try GainMaps.photograph()
    let plain = try ImageEncoder.encode(photograph.gainMap?.image ?? photograph, as: .jpeg(quality: 0.9))

    let file = try ImageEncoder.encode(photograph, as: .jpeg(quality: 0.9))
    let reader = try #require(GainMapReader(file))

    #expect(try ImageDecoder.decode(reader.map) == ImageDecoder.decode(plain))
    #expect(
      reader.texts[0].contains(
        "Item:Semantic=\"GainMap\" Item:Mime=\"image/jpeg\" Item:Length=\"\(reader.map.count)\""))
    #expect(reader.number("Version") == 1 && reader.number("GainMapMin") == 0)
    #expect(reader.number("GainMapMax") == 3 && reader.number("Gamma") == 1)
    #expect(reader.number("OffsetSDR") == 1 / 64 && reader.number("OffsetHDR") == 1 / 64)
    #expect(reader.number("HDRCapacityMin") == 0 && reader.number("HDRCapacityMax") == 3)
    #expect(reader.iso.map(\.count) == [4, 61])
    // The first version, by two numbers; then that gains are of one channel, and for the colors of the image.
    #expect(reader.iso[0] == [0, 0, 0, 0] && reader.iso[1].prefix(5) == [0, 0, 0, 0, 0x40])
    // Fractions from the sixth byte on: the third one is the minimum, and the fourth one the maximum.
    let words = stride(from: 5, to: 61, by: 4).map {
      reader.iso[1][$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(words.count == 14 && words[3] > 0 && words[2] == 3 * words[3])
    #expect(words[4] == 0 && words[6] == 3 * words[7] && words[8] == words[9] && words[10] * 64 == words[11])
  }

  @Test("Gains of three colors are written and read, in either form")
  func threeChannels() throws {
    var image = try Samples.picture(60, 40, .rgb8)
    image.gainMap = try GainMap(image: Samples.picture(30, 20, .rgb8), metadata: Self.three)

    let file = try ImageEncoder.encode(image, as: .jpeg(quality: 0.95))
    let iso = try #require(try ImageDecoder.decode(file, options: GainMaps.decoding).gainMap?.metadata)
    var other = file
    for position in file.positions(of: Array("urn:iso:std".utf8)) { other[position] = 0 }
    let xmp = try #require(try ImageDecoder.decode(other, options: GainMaps.decoding).gainMap?.metadata)

    #expect(xmp == Self.three)
    #expect(abs(iso.headroom - 4.7) < 1e-7 && iso.blue.offset + 0.3 < 1e-7 && iso.red == Self.three.red)
  }

  @Test("A gain map survives any number of thumbnails: decoding, resizing and encoding")
  func again() throws {
    var image = try GainMaps.photograph()
    for side in [400.0, 300, 200] {
      let file = try ImageEncoder.encode(image, as: .jpeg(quality: 0.97))
      let options = DecodingOptions(target: .fitting(side), keepsGainMap: true)
      image = try ImageDecoder.decode(file, options: options)
    }

    let expected = try GainMaps.photograph().resized(to: .fitting(200)).highDynamicRange().roots()
    #expect(try image.highDynamicRange().roots().wideLikeness(to: expected) > 32)
  }

  @Test("A number of bytes includes those of the gain map")
  func byteCount() throws {
    let photograph = try GainMaps.photograph()

    let file = try ImageEncoder.encode(photograph, as: .jpeg(), maximumByteCount: 12_000)

    #expect(file.count <= 12_000)
    #expect(try ImageDecoder.decode(file, options: GainMaps.decoding).gainMap != nil)
  }

  @Test("Formats without gain maps encode the image alone")
  func otherFormats() throws {
    let photograph = try GainMaps.photograph().resized(to: .fitting(64))
    var plain = photograph
    plain.gainMap = nil

    for encoding in [ImageEncoder.Encoding.png, .webp(), .losslessWebP] {
      #expect(try ImageEncoder.encode(photograph, as: encoding) == ImageEncoder.encode(plain, as: encoding))
    }
  }

  private static let exiftool = "/usr/bin/exiftool"

  @Test(
    "`exiftool` finds the map as the second image of the file",
    .enabled(if: FileManager.default.isExecutableFile(atPath: exiftool), "exiftool is not installed"))
  func otherProgram() throws {
    let photograph = try GainMaps.photograph()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
    try Data(ImageEncoder.encode(photograph, as: .jpeg())).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.exiftool)
    process.arguments = ["-b", "-MPImage2", file.path]
    process.standardOutput = output

    try process.run()
    let map = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    process.waitUntilExit()

    #expect(try ImageDecoder.info(of: map).storedSize == PixelSize(width: 128, height: 96))
  }
}
