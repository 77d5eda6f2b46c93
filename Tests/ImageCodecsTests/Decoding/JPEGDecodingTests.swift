import ImageCodecs
import Testing

@Suite("JPEG decoding")
struct JPEGDecodingTests {
  @Test("A gray JPEG decodes to exact gray levels", arguments: [0, 1, 127, 128, 129, 200, 255])
  func gray(level: Int) throws {
    let image = try ImageDecoder.decode(JPEGFile(levels: [level]).bytes)

    #expect(image.pixelFormat == .gray8)
    #expect(image.bytes == [UInt8](repeating: UInt8(level), count: 64))
  }

  @Test("JPEG components are YCbCr, or RGB if the Adobe marker declares it")
  func color() throws {
    let luminance = try ImageDecoder.decode(JPEGFile(levels: [90, 128, 128]).bytes)
    let stored = try ImageDecoder.decode(JPEGFile(levels: [10, 20, 30], adobeTransform: 0).bytes)

    #expect(luminance.pixel(x: 3, y: 3) == Image.Pixel(red: 90, green: 90, blue: 90))
    #expect(stored.pixel(x: 3, y: 3) == Image.Pixel(red: 10, green: 20, blue: 30))
  }

  @Test("A CMYK JPEG converts to RGB")
  func inks() throws {
    let inverted = try ImageDecoder.decode(JPEGFile(levels: [200, 100, 50, 255], adobeTransform: 0).bytes)
    let halfBlack = try ImageDecoder.decode(JPEGFile(levels: [200, 100, 50, 51], adobeTransform: 0).bytes)
    let luminance = try ImageDecoder.decode(
      JPEGFile(levels: [55, 128, 128, 255], adobeTransform: 2).bytes)

    #expect(inverted.pixelFormat == .rgb8)
    #expect(inverted.pixel(x: 0, y: 0) == Image.Pixel(red: 200, green: 100, blue: 50))
    #expect(halfBlack.pixel(x: 7, y: 7) == Image.Pixel(red: 40, green: 20, blue: 10))
    #expect(luminance.pixel(x: 7, y: 0) == Image.Pixel(red: 200, green: 200, blue: 200))
  }

  @Test("JPEG components in separate scans decode like interleaved ones")
  func separateScans() throws {
    let together = JPEGFile(levels: [90, 140, 120])
    var apart = together
    apart.scansSeparately = true

    #expect(try ImageDecoder.decode(apart.bytes) == ImageDecoder.decode(together.bytes))
  }

  @Test("Bytes after the end of a JPEG are ignored")
  func trailing() throws {
    let file = JPEGFile(levels: [50]).bytes + [1, 2, 3, 0xFF, 0xD8]

    #expect(try ImageDecoder.decode(file).bytes.allSatisfy { $0 == 50 })
  }

  @Test("An ICC profile in several JPEG segments is assembled in any order")
  func profileInParts() throws {
    let profile = Profiles.minimal(padding: 200)
    let parts = [
      Profiles.segment(profile[..<100], number: 1, of: 3),
      Profiles.segment(profile[100..<101], number: 2, of: 3),
      Profiles.segment(profile[101...], number: 3, of: 3),
    ]
    let expected = ICCProfile(bytes: profile).map { Image.ColorSpace.profile($0) }

    for order in [[0, 1, 2], [2, 0, 1]] {
      let file = JPEGFile(levels: [90, 128, 128]).bytes.addingToJPEG(order.flatMap { parts[$0] })

      #expect(try ImageDecoder.decode(file, options: .asStored).colorSpace == expected)
    }
  }

  @Test("An ICC profile with missing, duplicate or misnumbered JPEG segments is dropped")
  func profileInDisorder() throws {
    let profile = Profiles.minimal()
    let part = { Profiles.segment(profile[$0], number: $1, of: $2) }
    let disorders = [
      part(0..<244, 1, 2),
      part(0..<60, 1, 2) + part(60..<244, 1, 2),
      part(0..<60, 1, 2) + part(60..<244, 2, 3),
      part(0..<60, 0, 2) + part(60..<244, 1, 2),
      part(0..<244, 2, 1),
      JPEGFile.segment(0xE2, Array("ICC_PROFILE\0".utf8)),
      part(0..<244, 1, 1) + part(0..<244, 1, 1),
    ]

    for disorder in disorders {
      let file = JPEGFile(levels: [90, 128, 128]).bytes.addingToJPEG(disorder)

      #expect(try ImageDecoder.decode(file, options: .asStored).colorSpace == .untagged)
    }
  }

  @Test("A JPEG profile above the limit or an unreadable CMYK profile is dropped")
  func unwantedProfiles() throws {
    var options = DecodingOptions.asStored
    options.limits.maximumMetadataBytes = 243
    let large = JPEGFile(levels: [90, 128, 128]).bytes.addingToJPEG(
      Profiles.segment(Profiles.minimal()[...], number: 1, of: 1))
    let inks = JPEGFile(levels: [1, 2, 3, 4], adobeTransform: 0).bytes.addingToJPEG(
      Profiles.segment(Profiles.minimal("CMYK")[...], number: 1, of: 1))

    #expect(try ImageDecoder.decode(large, options: options).colorSpace == .untagged)
    #expect(try ImageDecoder.decode(inks, options: .asStored).colorSpace == .untagged)
  }

  @Test("A CMYK profile is dropped in a JPEG without CMYK components", arguments: [[90], [90, 128, 128]])
  func inkProfileWithoutInks(levels: [Int]) throws {
    let inks = try Files.bytes("cmyk.jpg")
    var end = try #require(inks.prefix(100).positions(of: Array("ICC_PROFILE\0".utf8)).first) - 4
    let start = end
    while inks[end + 1] == 0xE2 { end += 2 + Int(inks[end + 2]) << 8 + Int(inks[end + 3]) }
    let file = JPEGFile(levels: levels).bytes.addingToJPEG(Array(inks[start..<end]))

    let image = try ImageDecoder.decode(file, options: .asStored)

    #expect(image.colorSpace == .untagged)
    #expect(image.bytes.allSatisfy { $0 == 90 })
  }

  @Test("A JPEG header is read from the first bytes of a file")
  func prefix() throws {
    let file = try ImageEncoder.encode(Samples.picture(300, 200, .rgb8), as: .jpeg(progressive: true))
    let scan = try #require(file.positions(of: [0xFF, 0xDA]).first)

    let info = try ImageDecoder.info(of: Array(file[..<(scan + 2)]))

    #expect(
      info == ImageInfo(format: .jpeg, storedSize: PixelSize(width: 300, height: 200), isProgressive: true))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.info(of: Array(file[..<30])) }
  }
}
