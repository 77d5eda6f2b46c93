import ImageCodecs
import Testing

/// Containers of which a library believes one part, and the header another one.
@Suite("Boxes that contradict one another")
struct ContradictoryBoxesTests {
  private static let uncovered = ImageCodecError.corrupt("an image that its parts do not cover")
  private static let twoSizes = ImageCodecError.corrupt("two sizes")

  /// An image of 64 by 64 pixels, with the size that its boxes announce.
  private func tile(_ brand: String, _ width: Int = 64, _ height: Int = 64) throws -> BoxesFile.Item {
    let image = try Samples.picture(64, 64, .rgb8)
    var tile = try BoxesFile.image(
      ImageEncoder.encode(image, as: brand == "avif" ? .avif(quality: 0.9) : .heic(quality: 0.9)),
      brand: brand)
    tile.properties = tile.properties.map { property in
      property.type == "ispe" ? BoxesForm.size(width, height) : property
    }
    return tile
  }

  /// A file whose main image is derived from tiles.
  private func file(
    _ brand: String, _ type: String, data: [UInt8], size: (Int, Int), _ tiles: [BoxesFile.Item]
  ) throws -> BoxesFile {
    var file = try BoxesFile(Files.bytes("picture.\(brand)"), brand: brand)
    let others = tiles[0].properties.filter { !["ispe", "av1C", "hvcC", "clap"].contains($0.type) }
    let own = [BoxesForm.size(size.0, size.1)] + others
    file.items = [BoxesFile.Item(type: type, data: data, properties: own)] + tiles
    file.references = [("dimg", 1, Array(2..<2 + tiles.count))]
    return file
  }

  /// The data of a grid.
  private func grid(_ rows: Int, _ columns: Int, _ width: Int, _ height: Int, isWide: Bool = false) -> [UInt8]
  {
    let length = isWide ? 4 : 2
    return [0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)] + big(width, count: length)
      + big(height, count: length)
  }

  /// The data of an overlay on white.
  private func overlay(_ width: Int, _ height: Int, _ places: [(Int, Int)], isWide: Bool = false) -> [UInt8] {
    let length = isWide ? 4 : 2
    let fill = [UInt8](repeating: 0xFF, count: 8)
    let list = places.flatMap { big($0.0, count: length) + big($0.1, count: length) }
    return [0, isWide ? 1 : 0] + fill + big(width, count: length) + big(height, count: length) + list
  }

  private func error(_ file: BoxesFile) -> ImageCodecError? { error(file.bytes) }

  private func error(_ bytes: [UInt8]) -> ImageCodecError? {
    do throws(ImageCodecError) {
      _ = try ImageDecoder.decode(bytes)
      return nil
    } catch { return error }
  }

  @Test(
    "A grid that has its size in its data, and is covered by tiles, decodes", arguments: ["avif", "heic"])
  func grids(brand: String) throws {
    let tile = try tile(brand)
    for (rows, columns, width, height) in [(1, 1, 64, 64), (1, 2, 128, 64), (2, 2, 100, 66), (2, 1, 64, 66)] {
      for isWide in [false, true] {
        let data = grid(rows, columns, width, height, isWide: isWide)
        let tiles = Array(repeating: tile, count: rows * columns)
        let image = try ImageDecoder.decode(
          file(brand, "grid", data: data, size: (width, height), tiles).bytes)
        #expect(image.size == PixelSize(width: width, height: height))
      }
    }
  }

  @Test(
    "A grid whose data say another size, or that is not covered by its tiles, is corrupt",
    arguments: ["avif", "heic"])
  func badGrids(brand: String) throws {
    let tile = try tile(brand)
    for (rows, columns, width, height, tiles, expected) in [
      // More than the tiles have, to the right and below, and less than without the last one.
      (1, 1, 65, 64, 1, Self.uncovered), (1, 1, 64, 65, 1, Self.uncovered), (1, 2, 64, 64, 2, Self.uncovered),
      (2, 1, 64, 64, 2, Self.uncovered), (1, 2, 128, 64, 1, Self.uncovered),
      (1, 1, 64, 64, 2, Self.uncovered),
    ] {
      let data = grid(rows, columns, width, height)
      let file = try file(
        brand, "grid", data: data, size: (width, height), Array(repeating: tile, count: tiles))
      #expect(error(file) == expected, "\(rows) \(columns) \(width) \(height) \(tiles)")
    }
    for (width, height) in [(65_599, 65_599), (26_000, 26_000), (63, 64), (64, 63)] {
      let data = grid(1, 1, width, height, isWide: true)
      #expect(try error(file(brand, "grid", data: data, size: (64, 64), [tile])) == Self.twoSizes)
    }
    let odd = try self.tile(brand, 64, 60)
    let data = grid(1, 2, 128, 60)
    #expect(try error(file(brand, "grid", data: data, size: (128, 60), [odd, tile])) == Self.twoSizes)
    for data in [[], [0], [0, 0, 0, 0], [0, 0, 0, 0, 0, 64, 0], [1] + grid(1, 1, 64, 64).dropFirst()]
      as [[UInt8]]
    {
      #expect(
        try error(file(brand, "grid", data: data, size: (64, 64), [tile]))?.kind == "corrupt", "\(data)")
    }
    var without = try file(brand, "grid", data: grid(1, 1, 64, 64), size: (64, 64), [tile])
    without.references = []
    #expect(error(without) == .corrupt("an image without its parts"))
    without.references = [("dimg", 1, [2]), ("dimg", 1, [2])]
    #expect(error(without) == .corrupt("an image without its parts"))
  }

  @Test("A HEIC stream that is smaller than its image or its tile announces is corrupt")
  func smallStreams() throws {
    let alone = try tile("heic", 200, 200)
    var single = try BoxesFile(Files.bytes("picture.heic"), brand: "heic")
    single.items = [alone]
    #expect(error(single) == Self.twoSizes)

    let data = grid(1, 1, 200, 200)
    #expect(try error(file("heic", "grid", data: data, size: (200, 200), [alone])) == Self.twoSizes)
  }

  @Test("An image that is the same as another one has its size")
  func identities() throws {
    let tile = try tile("heic")
    #expect(try error(file("heic", "iden", data: [], size: (64, 64), [tile])) == nil)
    for size in [(65, 64), (64, 63)] {
      #expect(try error(file("heic", "iden", data: [], size: size, [tile])) == Self.twoSizes)
    }
    #expect(try error(file("heic", "iden", data: [], size: (64, 64), [tile, tile])) == Self.twoSizes)
  }

  @Test("An overlay shows images inside of it, and others are not supported")
  func overlays() throws {
    let tile = try tile("heic")
    for isWide in [false, true] {
      func error(_ places: [(Int, Int)], _ canvas: (Int, Int) = (100, 80), _ tiles: Int? = nil) throws
        -> ImageCodecError?
      {
        let data = overlay(canvas.0, canvas.1, places, isWide: isWide)
        let tiles = Array(repeating: tile, count: tiles ?? places.count)
        return try self.error(file("heic", "iovl", data: data, size: (100, 80), tiles))
      }
      let beyond = ImageCodecError.unsupportedFeature("an overlay of images beyond its edges")
      for (x, y) in [(0, 0), (36, 16), (10, 3)] { #expect(try error([(0, 0), (x, y)]) == nil) }
      for (x, y) in [(37, 0), (0, 17), (-1, 0), (0, -1), (-64, -64)] {
        #expect(try error([(0, 0), (x, y)]) == beyond, "\(x) \(y)")
      }
      for canvas in [(101, 80), (100, 81), (65_535, 65_535)] {
        #expect(try error([(0, 0)], canvas) == Self.twoSizes)
      }
      #expect(try error([(0, 0)], (100, 80), 2) == .corrupt("an overlay without places"))
    }
  }

  @Test("A part that is none of the items makes a HEIC corrupt, and one of another codec is not supported")
  func strangeParts() throws {
    let tile = try tile("heic")
    for (type, data) in [("iovl", overlay(100, 80, [(0, 0)])), ("grid", grid(1, 1, 64, 64)), ("iden", [])] {
      let size = type == "iovl" ? (100, 80) : (64, 64)
      var other = try file("heic", type, data: data, size: size, [tile])
      other.references = [("dimg", 1, [9])]
      #expect(error(other)?.kind == "corrupt", "\(type)")
      other.references = [("dimg", 1, [2])]
      #expect(error(other) == nil, "\(type)")
      for codec in ["av01", "jpeg", "mime"] {
        other.items[1].type = codec
        #expect(
          error(other)?.description.contains("an image of another kind than HEVC (libheif ") == true,
          "\(codec)")
      }
    }
  }

  @Test("An image with two sizes, or a file with two of a kind, is corrupt", arguments: ["avif", "heic"])
  func doubled(brand: String) throws {
    let plain = try BoxesFile(Files.bytes("picture.\(brand)"), brand: brand)
    var sizes = plain
    sizes.items[0].properties.append(BoxesForm.size(97, 72))
    #expect(error(sizes) == Self.twoSizes)

    let bytes = plain.bytes
    let meta = try #require(BoxesForm.range(of: "meta", in: bytes))
    #expect(error(bytes + bytes[meta]) == .corrupt("two boxes of one kind"))
    for type in ["pitm", "iloc", "iinf", "iprp"] {
      let box = try #require(BoxesForm.range(of: type, in: bytes))
      let changed = Array(bytes[..<meta.upperBound]) + bytes[box] + bytes[meta.upperBound...]
      let length = big(meta.count + box.count, count: 4)
      var file = changed
      file.replaceSubrange(meta.lowerBound..<meta.lowerBound + 4, with: length)
      #expect(error(file) == .corrupt("two boxes of one kind"), "\(type)")
    }
    var items = plain
    items.items.append(items.items[0])
    let two = items.bytes
    for (type, offset, expected) in [
      ("infe", 8, "two items with one number"), ("iloc", 26, "two places of one item"),
    ] {
      // The number of the second item, or of its place, becomes that of the first one.
      let position = try #require(two.positions(of: Array(type.utf8)).last) + offset
      var changed = two
      #expect(changed[position..<position + 2] == [0, 2])
      changed[position + 1] = 1
      #expect(error(changed) == .corrupt(expected), "\(type)")
    }
    let association = [0, 2, UInt8(items.items[0].properties.count)] as [UInt8]
    let position = try #require(two.positions(of: association).last)
    var changed = two
    changed[position + 1] = 1
    #expect(error(changed) == .corrupt("two lists of properties of one image"))
  }

  @Test("A cropped image of 2³² pixels a side, with another one, is too large", arguments: ["avif", "heic"])
  func overflow(brand: String) throws {
    let huge = 0xFFFF_FFFF
    var file = try BoxesFile(Files.bytes("picture.\(brand)"), brand: brand)
    let crop = BoxesFile.box(
      "clap", [10, 1, 10, 1, 0, 1, 0, 1].flatMap { (number: Int) -> [UInt8] in big(number, count: 4) })
    file.items[0].properties = [BoxesForm.size(huge, huge), crop]
    file.items.append(.init(type: file.items[0].type, data: [1], properties: [BoxesForm.size(huge, huge)]))
    let bytes = file.bytes

    #expect(try ImageDecoder.info(of: bytes).storedSize == PixelSize(width: 10, height: 10))
    let expected = ImageCodecError.tooLarge(width: huge, height: huge, limit: .pixels(50_000_000))
    #expect(error(bytes) == expected)
    #expect(throws: expected) { try ImageDecoder.decodeAvailable(bytes) }
    #expect(throws: expected) { try AnimationReader(bytes).next() }
    #expect(try ImageDecoder.byteCost(of: bytes) == .max)
    // A second image that is so large is no reason to refuse the first one.
    var second = try BoxesFile(Files.bytes("picture.\(brand)"), brand: brand)
    second.items.append(.init(type: "mime", data: [1], properties: [BoxesForm.size(huge, huge)]))
    #expect(error(second) == nil)
  }

  @Test("Many claims of a gain map take no longer than one", arguments: [1, 4_000])
  func gainMapClaims(count: Int) throws {
    var file = try BoxesFile(Files.bytes("picture.avif"), brand: "avif")
    file.items.append(.init(type: "av01", data: [1], properties: [BoxesFile.box("free", [])]))
    file.items.append(.init(type: "tmap", data: BoxesFile.toneMap))
    file.references = Array(repeating: ("dimg", 3, [1, 2]), count: count)
    let options = DecodingOptions(keepsGainMap: true)

    #expect(try ImageDecoder.byteCost(of: file.bytes, options: options) > 0)
  }
}

extension [UInt8] {
  /// The type of a whole box.
  fileprivate var type: String { String(decoding: dropFirst(4).prefix(4), as: UTF8.self) }
}

extension BoxesForm {
  /// The place of the first box of a type.
  static func range(of type: String, in bytes: [UInt8]) -> Range<Int>? {
    guard let name = bytes.positions(of: Array(type.utf8)).first, name >= 4 else { return nil }
    let start = name - 4
    return start..<start + bytes[start..<name].reduce(0) { $0 << 8 | Int($1) }
  }
}
