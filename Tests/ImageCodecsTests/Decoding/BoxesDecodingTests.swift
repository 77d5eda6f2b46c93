import ImageCodecs
import Testing

@Suite("AVIF and HEIC decoding")
struct BoxesDecodingTests {
  private static let brands = ["avif", "heic"]

  private func file(_ brand: String) throws -> BoxesFile {
    try BoxesFile(Files.bytes("picture.\(brand)"), brand: brand)
  }

  private func other(_ brand: String, _ width: Int, _ height: Int, _ auxiliary: String? = nil) throws
    -> BoxesFile.Item
  {
    let image = try Samples.picture(width, height, .rgb8)
    let encoded = try ImageEncoder.encode(image, as: brand == "avif" ? .avif() : .heic())
    var item = try BoxesFile.image(encoded, brand: brand)
    if let auxiliary {
      item.properties.append(BoxesFile.box("auxC", [0, 0, 0, 0] + Array(auxiliary.utf8) + [0]))
    }
    return item
  }

  @Test("An AVIF or HEIC that is rebuilt with one item decodes unchanged", arguments: brands)
  func plain(brand: String) throws {
    #expect(try ImageDecoder.decode(file(brand).bytes) == Files.image("picture.\(brand)"))
  }

  @Test(
    "An AVIF or HEIC with a gain map decodes when metadata refers to two images",
    arguments: brands)
  func gainMap(brand: String) throws {
    var photo = try file(brand)
    let gain = "urn:com:apple:photo:2020:aux:hdrgainmap"
    photo.items += [
      try other(brand, 48, 36, gain),
      .init(type: "tmap", data: BoxesFile.toneMap, properties: []),
      .init(type: "Exif", data: [0, 0, 0, 0] + Exif.data(orientation: 6, bigEndian: true)),
      try other(brand, 32, 24), try other(brand, 32, 24, "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"),
    ]
    photo.items[2].properties = [photo.items[0].properties[0]]
    photo.references = [
      ("dimg", 3, [1, 2]), ("auxl", 2, [1, 3]), ("cdsc", 4, [1, 3]), ("thmb", 5, [1, 3]), ("auxl", 6, [3]),
    ]

    #expect(try ImageDecoder.decode(photo.bytes) == Files.image("picture.\(brand)"))
  }

  @Test("An AVIF or HEIC decodes its primary image even if another is larger", arguments: brands)
  func largerImage(brand: String) throws {
    var file = try file(brand)
    file.items += [try other(brand, 1_400, 1_100)]

    #expect(try ImageDecoder.decode(file.bytes) == Files.image("picture.\(brand)"))
    file.references = [("thmb", 1, [2])]
    #expect(try ImageDecoder.decode(file.bytes) == Files.image("picture.\(brand)"))
  }

  @Test("Trailing bytes after the last box of an AVIF or HEIC are ignored", arguments: brands)
  func trailingBytes(brand: String) throws {
    let image = try Files.image("picture.\(brand)")
    for tail in ["\n", "abc", "\0\0\0", "and a sentence or two behind the last box"] {
      #expect(try ImageDecoder.decode(Files.bytes("picture.\(brand)") + Array(tail.utf8)) == image)
    }
  }

  @Test("An AVIF or HEIC cut within a secondary image still decodes its primary image", arguments: brands)
  func cut(brand: String) throws {
    var file = try file(brand)
    let length = file.bytes.count
    file.items += [try other(brand, 64, 48)]
    let image = try Files.image("picture.\(brand)")

    let bytes = file.bytes
    let end = bytes.count - file.items[1].data.count
    #expect(end > length)
    for count in [end, end + 10, bytes.count - 1] {
      #expect(try ImageDecoder.decode(Array(bytes.prefix(count))) == image, "\(count)")
    }
    for count in [end - 1, end - 500] {
      #expect(throws: ImageCodecError.truncated, "\(count)") {
        try ImageDecoder.decode(Array(bytes.prefix(count)))
      }
    }
  }

  @Test(
    "A ten-bit AVIF or HEIC of 50 megapixels stays within the memory limit",
    arguments: [("deep.avif", 8), ("deep.heic", 10)])
  func largeDeepImages(name: String, bytesPerPixel: Int) throws {
    var bytes = try Files.bytes(name)
    let size = try #require(bytes.positions(of: Array("ispe".utf8)).first) + 8
    bytes.replaceSubrange(size..<size + 8, with: big(8_160, count: 4) + big(6_120, count: 4))
    let pixels = 8_160 * 6_120
    #expect(try ImageDecoder.byteCost(of: bytes) == pixels * (bytesPerPixel + 3))
    #expect(pixels * bytesPerPixel <= DecodingLimits.default.maximumWorkingBytes)

    var options = DecodingOptions(target: .fitting(64))
    options.limits.maximumWorkingBytes = pixels * bytesPerPixel - 1
    options.limits.maximumPixelsPerByte = .max

    #expect(throws: ImageCodecError.limitExceeded(.workingBytes(pixels * bytesPerPixel - 1))) {
      try ImageDecoder.decode(bytes, options: options)
    }
  }

  @Test("Decoding an unknown AVIF or HEIC item type throws an error naming the library", arguments: brands)
  func newKind(brand: String) throws {
    var file = try file(brand)
    file.items[0].type = "zzz1"

    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.bytes) }

    #expect(error?.kind == "unsupportedFeature")
    #expect(error?.description.contains(brand == "avif" ? "libavif " : "libheif ") == true, "\(error as Any)")
  }

  /// A step from the coded image to the shown one.
  enum Step: CaseIterable {
    case crop, turn, mirror
  }

  @Test("AVIF and HEIC transformations are applied in the order of their properties", arguments: brands)
  func transformations(brand: String) throws {
    let whole = try Files.image("picture.\(brand)")
    let orders: [[Step]] = [
      [.crop], [.crop, .turn], [.turn, .crop], [.crop, .turn, .mirror], [.crop, .mirror, .turn],
      [.turn, .crop, .mirror],
      [.turn, .mirror, .crop], [.mirror, .crop, .turn], [.mirror, .turn, .crop], [.crop, .turn, .crop],
    ]
    for order in orders {
      for quarters in 0..<4 {
        for axis in 0...1 {
          var file = try file(brand)
          var expected = Grid(whole)
          for step in order {
            switch step {
            case .crop:
              let (width, height) = (expected.width * 3 / 4 - 1, expected.height * 2 / 3 - 1)
              let size = (width: expected.width, height: expected.height)
              file.items[0].properties.append(BoxesFile.clap(size, x: 5, y: 3, width: width, height: height))
              expected = expected.cropped(x: 5, y: 3, width: width, height: height)
            case .turn:
              file.items[0].properties.append(BoxesFile.box("irot", [UInt8(quarters)]))
              for _ in 0..<quarters { expected = expected.turnedLeft() }
            case .mirror:
              file.items[0].properties.append(BoxesFile.box("imir", [UInt8(axis)]))
              expected = expected.mirrored(sideways: axis == 1)
            }
          }

          let image = try ImageDecoder.decode(file.bytes)

          #expect(Grid(image) == expected, "\(order) \(quarters) \(axis)")
          #expect(try ImageDecoder.info(of: file.bytes).size == image.size)
        }
      }
    }
  }

  @Test("AVIF and HEIC transformations apply to the alpha image as well", arguments: brands)
  func alphaTransformations(brand: String) throws {
    var file = try file(brand)
    let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
    file.items.append(try other(brand, 96, 72, alpha))
    file.references = [("auxl", 2, [1])]
    let image = try ImageDecoder.decode(file.bytes)
    let bytes = image.bytes
    let levels = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
    #expect(image.pixelFormat == .rgba8 && Set(levels).count > 9)

    let crop = BoxesFile.clap((width: 96, height: 72), x: 9, y: 4, width: 70, height: 40)
    let steps = [crop, BoxesFile.box("irot", [1]), BoxesFile.box("imir", [0])]
    for index in file.items.indices { file.items[index].properties += steps }

    let expected = Grid(image).cropped(x: 9, y: 4, width: 70, height: 40).turnedLeft()
    #expect(try Grid(ImageDecoder.decode(file.bytes)) == expected.mirrored(sideways: false))
  }

  @Test(
    "Colors of a HEIC that are multiplied by alpha are divided to the nearest sample",
    arguments: ["picture.heic", "deep.heic"])
  func multiplied(name: String) throws {
    var file = try BoxesFile(Files.bytes(name), brand: "heic")
    var alpha = file.items[0]
    alpha.properties.append(
      BoxesFile.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)))
    file.items.append(alpha)
    file.references = [("auxl", 2, [1])]
    let options = DecodingOptions(keepsDepth: true)
    func samples() throws -> (values: [Int], most: Int) {
      let image = try ImageDecoder.decode(file.bytes, options: options)
      #expect(image.pixelFormat.channelCount == 4)
      return image.pixelFormat == .rgba16
        ? (image.samples.map { Int($0) }, 65_535) : (image.bytes.map { Int($0) }, 255)
    }

    let (stored, most) = try samples()
    file.references.append(("prem", 1, [2]))
    let divided = try samples().values

    #expect(most == (name == "deep.heic" ? 65_535 : 255))
    let expected = stored.indices.map { index in
      let (value, alpha) = (stored[index], stored[index | 3])
      return index % 4 == 3 || alpha == 0 ? value : min((value * most + alpha / 2) / alpha, most)
    }
    #expect(divided == expected && divided != stored)
  }

  @Test("The profile of gray is applied to an AVIF, whose pixels become RGB")
  func grayProfile() throws {
    var file = try BoxesFile(Files.bytes("gray.avif"), brand: "avif")
    let plain = try ImageDecoder.decode(file.bytes)
    file.items[0].properties.append(BoxesFile.box("colr", Array("prof".utf8) + Profiles.linearGray))

    for options in [DecodingOptions(), .asStored] {
      let image = try ImageDecoder.decode(file.bytes, options: options)
      #expect(image.pixelFormat == .rgb8 && image.colorSpace == .sRGB)
      let isLight = zip(image.bytes, plain.bytes).allSatisfy { Profiles.isLight($0, of: $1) }
      #expect(isLight && Set(plain.bytes).count > 9)
    }
  }

  @Test(
    "An invalid AVIF or HEIC crop is ignored, and one beyond the edges is clamped",
    arguments: brands)
  func invalidCrops(brand: String) throws {
    let whole = try Files.image("picture.\(brand)")
    let size = (width: whole.width, height: whole.height)
    let crop = { (clap: [UInt8]) throws -> Image in
      var file = try file(brand)
      file.items[0].properties.append(clap)
      return try ImageDecoder.decode(file.bytes)
    }
    let zero = [UInt8](repeating: 0, count: 32)

    #expect(try crop(BoxesFile.box("clap", zero)) == whole)
    #expect(try crop(BoxesFile.clap(size, x: 500, y: 0, width: 10, height: 10)) == whole)
    #expect(try crop(BoxesFile.clap(size, x: -20, y: -10, width: 1_000, height: 1_000)) == whole)
    #expect(
      try crop(BoxesFile.clap(size, x: 90, y: 0, width: 10, height: 10)).size
        == PixelSize(width: 6, height: 10))
  }
}

/// Pixels that can be compared after each step.
private struct Grid: Equatable {
  var rows: [[[UInt8]]]

  init(_ image: Image) {
    let (bytes, step) = (image.bytes, image.pixelFormat.bytesPerPixel)
    rows = (0..<image.height).map { y in
      (0..<image.width).map { x in
        Array(bytes[(y * image.width + x) * step..<(y * image.width + x + 1) * step])
      }
    }
  }

  private init(rows: [[[UInt8]]]) { self.rows = rows }

  var width: Int { rows[0].count }
  var height: Int { rows.count }

  func cropped(x: Int, y: Int, width: Int, height: Int) -> Grid {
    Grid(rows: rows[y..<y + height].map { Array($0[x..<x + width]) })
  }

  func turnedLeft() -> Grid {
    Grid(rows: (0..<width).reversed().map { x in rows.map { $0[x] } })
  }

  func mirrored(sideways: Bool) -> Grid {
    Grid(rows: sideways ? rows.map { $0.reversed() } : rows.reversed())
  }
}
