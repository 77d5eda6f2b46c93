import ImageCodecs
import Testing

@Suite("Hostile TIFF")
struct HostileTIFFTests {
  /// Two gray pixels, and what can be wrong with them.
  private struct File {
    var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 3, 1, 2), (257, 3, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
      (277, 3, 1, 1), (278, 3, 1, 1), (279, 4, 1, 2),
    ]
    var next = 0

    subscript(tag: Int) -> Int {
      get { entries.first { $0.tag == tag }?.value ?? 0 }
      set {
        entries.removeAll { $0.tag == tag }
        entries.append((tag, newValue > 65_535 ? 4 : 3, 1, newValue))
        entries.sort { $0.tag < $1.tag }
      }
    }

    var bytes: [UInt8] {
      var file = Array("II*\0".utf8) + little(10, count: 4) + [50, 200] + little(entries.count, count: 2)
      for entry in entries {
        file += little((entry.tag, 2), (entry.type, 2), (entry.count, 4), (entry.value, 4))
      }
      return file + little(next, count: 4)
    }

    func with(_ tag: Int, _ value: Int) -> [UInt8] {
      var other = self
      other[tag] = value
      return other.bytes
    }
  }

  private func expect(_ kinds: Set<String>, _ file: [UInt8], _ location: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: ImageCodecError.self, sourceLocation: location) {
      try ImageDecoder.decode(file)
    }
    let kind = error.map { $0.kind ?? "\($0)" } ?? "none"
    #expect(
      kinds.contains(kind) || error == .truncated && kinds.contains("truncated"), "\(kind)",
      sourceLocation: location)
  }

  @Test("A TIFF with a wrong size throws an error")
  func sizes() {
    expect(["corrupt"], File().with(256, 0))
    expect(["corrupt"], File().with(257, 0))
    expect(["tooLarge"], File().with(256, 0x7FFF_FFFF))
    expect(["tooLarge"], File().with(257, 0xFFFF_FFFF))
    expect(["corrupt", "truncated"], File().with(256, 30_000))
  }

  @Test("A TIFF with wrong strip offsets throws an error")
  func strips() {
    expect(["corrupt", "truncated"], File().with(273, 0x7FFF_FFFF))
    var missing = File()
    missing.entries.removeAll { $0.tag == 273 }
    expect(["corrupt", "truncated", "unsupportedFeature"], missing.bytes)
  }

  @Test("A TIFF with harmless extra claims decodes")
  func harmless() throws {
    // Three samples of which colors know one; a strip that claims more than there is, of which two bytes are needed.
    #expect(try ImageDecoder.decode(File().with(277, 3)).size == PixelSize(width: 2, height: 1))
    #expect(try ImageDecoder.decode(File().with(279, 0x7FFF_FFFF)).bytes == [50, 200])
    // The place of a JPEG, of which there is none.
    var other = File()
    other.entries += [(513, 4, 1, 0x7FFF_FFFF), (514, 4, 1, 5)]
    #expect(try ImageDecoder.decode(other.bytes).bytes == [50, 200])
  }

  @Test("A TIFF lacks a field that ends behind the file, by the size of its type, and none of unknown types")
  func sizesOfTypes() {
    // Bytes of one element of each type.
    let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8, 0, 0]
    var options = DecodingOptions()
    options.limits.incomplete = .refuse
    func isTruncated(_ file: [UInt8]) -> Bool {
      do throws(ImageCodecError) {
        _ = try ImageDecoder.decode(file, options: options)
        return false
      } catch { return error == .truncated }
    }

    for (type, size) in sizes.enumerated() {
      var file = File()
      // A field that no program knows, of more than an entry holds.
      file.entries.append((65_000, type, 9, 0))
      let start = file.bytes.count
      file.entries[file.entries.count - 1].value = start
      let whole = file.bytes + [UInt8](repeating: 0, count: max(size, 1) * 9)

      #expect(!isTruncated(whole), "\(type)")
      #expect(isTruncated(Array(whole.dropLast())) == (size > 0), "\(type)")
    }
    for (count, value) in [(0xFFFF_FFFF, 8), (9, 0xFFFF_FFFF)] {
      var file = File()
      file.entries.append((65_000, 12, count, value))
      #expect(isTruncated(file.bytes))
    }
  }

  @Test("A TIFF with an invalid directory throws, and a directory loop is ignored")
  func directories() throws {
    var loop = File()
    loop.next = 10
    #expect(try ImageDecoder.decode(loop.bytes).bytes == [50, 200])

    var outside = File().bytes
    outside.replaceSubrange(4..<8, with: little(0xFFFF_FFFF, count: 4))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(outside) }
    var endless = File().bytes
    endless.replaceSubrange(10..<12, with: little(65_535, count: 2))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(endless) }
    var long = File().bytes
    long.replaceSubrange(10..<12, with: little(2_000, count: 2))
    expect(["corrupt"], long + [UInt8](repeating: 0, count: 24_000))
  }

  @Test(
    "A BigTIFF with invalid offsets is corrupt or truncated",
    arguments: [[0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]])
  func bigTIFF(magic: [UInt8]) {
    let isBig = magic[0] == 0x4D
    let number = { (value: Int, count: Int) in isBig ? big(value, count: count) : little(value, count: count)
    }
    let size = { (bytes: Int) in magic + number(bytes, 2) + number(0, 2) }
    let zeros = [UInt8](repeating: 0, count: 100)

    expect(["corrupt"], size(4) + number(16, 8) + zeros)
    expect(["corrupt"], size(8) + number(16, 8) + zeros)
    for offset in [Int.max, 1 << 56, 1 << 40, 500] {
      expect(["truncated"], size(8) + number(offset, 8) + zeros)
    }
    expect(["truncated"], size(8) + number(16, 8) + number(1 << 60, 8) + zeros)
    expect(["truncated"], size(8))
  }

  @Test("A TIFF cut within its profile or palette throws `truncated`")
  func fields() throws {
    var profile = File()
    profile.entries.append((34_675, 7, 300, profile.bytes.count + 12))
    let profileBytes = Profiles.minimal("GRAY", padding: 56)
    let whole = profile.bytes + profileBytes
    #expect(
      try ImageDecoder.decode(whole, options: .asStored).colorSpace.description == "profile of 300 bytes")

    for missing in [1, 100, 299, 300] {
      let cut = Array(whole.dropLast(missing))
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(cut) }
      let part = try ImageDecoder.decodeAvailable(cut, options: .asStored)
      #expect(!part.isComplete && part.image.colorSpace == .untagged && part.image.bytes == [50, 200])
    }
    var lying = File()
    lying.entries.append((34_675, 7, 0x7FFF_FFFF, 0x7FFF_FFF0))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(lying.bytes) }

    var palette = File()
    palette[262] = 3
    palette.entries.append((320, 3, 768, 0))
    palette.entries.sort { $0.tag < $1.tag }
    let start = palette.bytes.count
    palette.entries = palette.entries.map { $0.tag == 320 ? (320, 3, 768, start) : $0 }
    let colors = palette.bytes + (0..<768).flatMap { little($0 * 85, count: 2) }
    #expect(try ImageDecoder.decode(colors).pixel(x: 1, y: 0)?.red == UInt8(200 * 85 / 256))
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(Array(colors.dropLast(2))) }
  }

  @Test("A profile that fits into its field is none", arguments: [false, true])
  func smallProfile(isLarge: Bool) throws {
    var file = TIFFFile()
    (file.colors, file.colorSamples, file.isLarge) = (5, 4, isLarge)
    // As the place of a profile, this would be in the file.
    file.profile = little(8, count: isLarge ? 8 : 4)

    #expect(try ImageDecoder.decode(file.bytes, options: .asStored).colorSpace == .untagged)
  }

  @Test("A TIFF that is cut within its embedded JPEG throws `truncated`", arguments: [6, 7])
  func heldJPEG(compression: Int) throws {
    let image = try Samples.picture(64, 48, .gray8)
    let jpeg = try ImageEncoder.encode(image, as: .jpeg(quality: 0.9))
    var file = File()
    for (tag, value) in [(256, 64), (257, 48), (259, compression), (278, 48)] { file[tag] = value }
    file.entries.removeAll { $0.tag == 273 || $0.tag == 279 }
    file.entries += [(273, 4, 1, 0), (279, 4, 1, jpeg.count)]
    if compression == 6 { file.entries += [(512, 3, 1, 1), (513, 4, 1, 0), (514, 4, 1, jpeg.count)] }
    file.entries.sort { $0.tag < $1.tag }
    let start = file.bytes.count
    file.entries = file.entries.map { [273, 513].contains($0.tag) ? ($0.tag, 4, 1, start) : $0 }
    let whole = file.bytes + jpeg
    #expect(try ImageDecoder.decode(whole).visibleLikeness(to: ImageDecoder.decode(jpeg)) >= 50)

    for kept in [0.25, 0.5, 0.9] {
      let cut = Array(whole.prefix(start + Int(Double(jpeg.count) * kept)))
      #expect(throws: ImageCodecError.truncated, "\(kept)") { try ImageDecoder.decode(cut) }
      if let part = try? ImageDecoder.decodeAvailable(cut) { #expect(!part.isComplete) }
    }
    // Cut within, as some programs that repair files do: the file is as long as it says.
    let middle = start + jpeg.count / 2
    let rest = [UInt8](repeating: 0, count: whole.count - middle - 2)
    let patched = Array(whole[..<middle]) + [0xFF, 0xD9] + rest
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.decode(patched) }
  }

  @Test("A CIELab TIFF is converted to sRGB in 8 and 16 bits")
  func lab() throws {
    // Lightness, and what is red rather than green, yellow rather than blue, under D50; and the color of sRGB.
    let colors: [(lab: [Double], rgb: [Int])] = [
      ([100, 0, 0], [255, 255, 255]), ([0, 0, 0], [0, 0, 0]), ([50, 0, 0], [119, 119, 119]),
      ([54.22, 38.2, 46.25], [200, 100, 50]), ([48.56, -5.04, -38.22], [60, 120, 180]),
      ([22.2, -18.53, 20.6], [30, 60, 20]),
    ]
    for bits in [8, 16] {
      var file = File()
      let values = colors.flatMap { color -> [UInt8] in
        let scale = bits == 8 ? (2.55, 1.0) : (655.35, 256.0)
        let numbers = [color.lab[0] * scale.0, color.lab[1] * scale.1, color.lab[2] * scale.1]
        return numbers.flatMap { little(Int($0.rounded()), count: bits / 8) }
      }
      for (tag, value) in [(256, colors.count), (262, 8), (277, 3), (279, values.count), (258, bits)] {
        file[tag] = value
      }
      file.entries = file.entries.map { $0.tag == 273 ? (273, 4, 1, file.bytes.count) : $0 }

      let image = try ImageDecoder.decode(file.bytes + values)

      #expect(image.colorSpace == .sRGB && image.pixelFormat == .rgb8)
      for (x, color) in colors.enumerated() {
        let pixel = try #require(image.pixel(x: x, y: 0))
        let found = [pixel.red, pixel.green, pixel.blue].map(Int.init)
        #expect(
          zip(found, color.rgb).allSatisfy { abs($0 - $1) <= (bits == 8 ? 4 : 2) },
          "\(bits): \(found) \(color.rgb)")
      }
      if bits == 16 {
        var options = DecodingOptions(keepsDepth: true)
        options.colors = .asStored
        let deep = try ImageDecoder.decode(file.bytes + values, options: options)
        #expect(deep.pixelFormat == .rgb16 && deep.pixel(x: 0, y: 0) == image.pixel(x: 0, y: 0))
      }
    }
  }

  @Test("A TIFF with a wrong compression is corrupt and decodes partially")
  func compression() throws {
    for compression in [8, 32_946] {
      let file = File().with(259, compression)

      expect(["corrupt"], file)
      let part = try ImageDecoder.decodeAvailable(file)
      #expect(!part.isComplete && part.image.size == PixelSize(width: 2, height: 1))
    }
  }

  @Test("A TIFF cut within its pixels throws an error and decodes partially")
  func truncation() throws {
    // Its directory stands before its pixels, which most programs do not do.
    let pixels = (0..<96 * 64).map { UInt8(truncatingIfNeeded: $0) }
    var file = File()
    file[256] = 96
    file[257] = 64
    file[278] = 1
    file.entries.removeAll { $0.tag == 273 || $0.tag == 279 }
    file.entries += [(273, 4, 1, 0), (279, 4, 1, 6_144)]
    file[278] = 64
    file.entries.sort { $0.tag < $1.tag }
    let start = file.bytes.count
    file.entries = file.entries.map { $0.tag == 273 ? (273, 4, 1, start) : $0 }
    let bytes = file.bytes + pixels
    #expect(try ImageDecoder.decode(bytes).bytes == pixels)

    let cut = Array(bytes.dropLast(3_000))

    expect(["corrupt", "truncated"], cut)
    #expect(try !ImageDecoder.decodeAvailable(cut).isComplete)
  }

  @Test("A part of a TIFF that cannot be read is black, and not the one above", arguments: [false, true])
  func missingPart(isInPlanes: Bool) throws {
    var tiff = TIFFFile()
    (tiff.width, tiff.height, tiff.compression, tiff.arrangement) = (16, 32, 8, .tiles)
    if isInPlanes { (tiff.colors, tiff.colorSamples, tiff.isInPlanes) = (2, 3, true) }
    tiff.value = { _, y, _ in y < 16 ? 0.5 : 1 }
    var file = tiff.bytes
    #expect(try ImageDecoder.decode(file).pixel(x: 9, y: 20)?.blue == 255)
    // The header of the last tile.
    let tile = Deflate.stored([UInt8](repeating: 0, count: 256)).count
    let last = 8 + (isInPlanes ? 5 : 1) * (tile + tile % 2)
    #expect(file[last..<last + 2].elementsEqual([0x78, 0x01]))
    file.replaceSubrange(last..<last + 2, with: [0, 0])

    let available = try ImageDecoder.decodeAvailable(file)

    #expect(!available.isComplete && available.image.pixel(x: 9, y: 4)?.blue == 128)
    #expect(available.image.pixel(x: 9, y: 20)?.blue == 0)
    if isInPlanes { #expect(available.image.pixel(x: 9, y: 20)?.red == 255) }
  }
}
