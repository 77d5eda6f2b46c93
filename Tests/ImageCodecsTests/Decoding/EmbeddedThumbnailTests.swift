import ImageCodecs
import Testing

@Suite("Embedded thumbnails")
struct EmbeddedThumbnailTests {
  /// EXIF data of an orientation and a thumbnail.
  private func exif(_ thumbnail: [UInt8], orientation: Int = 1, start: Int? = nil) -> [UInt8] {
    let entry = { (tag: Int, type: Int, value: Int) in
      little(tag, count: 2) + little(type, count: 2) + little(1, count: 4) + little(value, count: 4)
    }
    let first = little(1, count: 2) + entry(0x0112, 3, orientation) + little(26, count: 4)
    let second =
      little(2, count: 2) + entry(0x0201, 4, start ?? 56) + entry(0x0202, 4, thumbnail.count)
      + little(0, count: 4)
    return Array("II*\0".utf8) + little(8, count: 4) + first + second + thumbnail
  }

  private func file(_ size: PixelSize, _ exif: [UInt8]) throws -> [UInt8] {
    let whole = try Samples.flat(size.width, size.height, [200, 40, 40])
    return try ImageEncoder.encode(whole, as: .jpeg()).addingToJPEG(Exif.segment(exif))
  }

  private let large = PixelSize(width: 320, height: 240)

  private func thumbnail(_ width: Int, _ height: Int) throws -> [UInt8] {
    try ImageEncoder.encode(Samples.flat(width, height, [40, 40, 200]), as: .jpeg())
  }

  private func color(_ file: [UInt8], _ side: Double, uses: Bool = true) throws -> String {
    var options = DecodingOptions(target: .fitting(side))
    options.usesEmbeddedThumbnail = uses
    let image = try ImageDecoder.decode(file, options: options)
    #expect(max(image.width, image.height) == Int(side))
    return (image.pixel(x: 3, y: 3)?.blue ?? 0) > 100 ? "thumbnail" : "whole"
  }

  @Test("An embedded thumbnail replaces the full image if requested and large enough")
  func use() throws {
    let file = try file(large, exif(thumbnail(160, 120)))

    #expect(try color(file, 160) == "thumbnail")
    #expect(try color(file, 40) == "thumbnail")
    #expect(try color(file, 40, uses: false) == "whole")
    #expect(try color(file, 161) == "whole")
    var options = DecodingOptions()
    options.usesEmbeddedThumbnail = true
    #expect(try ImageDecoder.decode(file, options: options).size == large)
  }

  @Test("An embedded thumbnail has the orientation of the full image")
  func orientation() throws {
    let file = try file(large, exif(thumbnail(160, 120), orientation: 6))
    var options = DecodingOptions(target: .fitting(80))
    options.usesEmbeddedThumbnail = true

    #expect(try ImageDecoder.decode(file, options: options).size == PixelSize(width: 60, height: 80))
    let narrow = DecodingOptions(target: ResizeTarget(width: 60, height: nil))
    #expect(try embedded(file, narrow)?.size == PixelSize(width: 60, height: 80))
  }

  @Test("A missing, damaged or differently shaped thumbnail is ignored")
  func refusal() throws {
    let good = try thumbnail(160, 120)
    let files = [
      try file(large, exif(thumbnail(160, 160))), try file(large, exif(Array(good.dropLast(40)))),
      try file(large, exif(Array("not a picture".utf8))), try file(large, exif(good, start: 0x7FFF_FFFF)),
      try file(large, Exif.data(orientation: 1, bigEndian: false)),
    ]

    for file in files { #expect(try color(file, 40) == "whole") }
  }

  @Test("A thumbnail is used if both of its sides are long enough, and its shape differs by up to a fiftieth")
  func bounds() throws {
    for (width, height, expected) in [
      (160, 120, "thumbnail"), (160, 119, "whole"), (159, 120, "whole"), (162, 120, "thumbnail"),
      (160, 122, "thumbnail"),
    ] {
      let file = try file(large, exif(thumbnail(width, height)))
      #expect(try color(file, 160) == expected, "\(width) × \(height)")
    }
    for (long, short, isUsed) in [(79, 20, true), (81, 20, true), (78, 20, false), (82, 20, false)] {
      let wide = try file(PixelSize(width: 400, height: 100), exif(thumbnail(long, short)))
      let tall = try file(PixelSize(width: 100, height: 400), exif(thumbnail(short, long)))

      #expect(try (embedded(wide) != nil) == isUsed, "\(long)")
      #expect(try (embedded(tall) != nil) == isUsed, "\(long)")
    }
  }

  @Test("`embeddedThumbnail(of:)` reads a partial file and returns nil without a thumbnail")
  func preview() throws {
    let whole = try file(large, exif(thumbnail(160, 120), orientation: 6))
    let plain = try file(large, Exif.data(orientation: 1, bigEndian: false))

    let image = try embedded(Array(whole.prefix(whole.count * 3 / 4)))

    #expect(image?.size == PixelSize(width: 120, height: 160))
    #expect((image?.pixel(x: 3, y: 3)?.blue ?? 0) > 100)
    #expect(try embedded(whole, DecodingOptions(target: .fitting(40)))?.height == 40)
    #expect(try embedded(plain) == nil)
    #expect(try embedded(file(large, exif(thumbnail(160, 160)))) == nil)
    #expect(try embedded(Files.bytes("picture.png")) == nil)
    #expect(throws: ImageCodecError.truncated) { try embedded(Array(whole.prefix(100))) }
  }

  #if os(Linux)
    @Test("A worker process decodes the same embedded thumbnail, or none")
    func isolated() throws {
      let whole = try file(large, exif(thumbnail(160, 120), orientation: 6))
      let plain = try file(large, Exif.data(orientation: 1, bigEndian: false))
      let worker = try NamedWorker()
      let decoder = IsolatedImageDecoder(worker.settings)

      #expect(try whole.withUnsafeBytes { try decoder.embeddedThumbnail(of: $0) } == embedded(whole))
      #expect(try plain.withUnsafeBytes { try decoder.embeddedThumbnail(of: $0) } == nil)
    }
  #endif

  private func embedded(_ bytes: [UInt8], _ options: DecodingOptions = DecodingOptions()) throws -> Image? {
    try bytes.withUnsafeBytes { try ImageDecoder.embeddedThumbnail(of: $0, options: options) }
  }
}
