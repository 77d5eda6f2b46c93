import ImageCodecs
import Testing

@Suite("PNG headers")
struct PNGHeaderTests {
  private func file(
    width: Int = 1, height: Int = 1, depth: UInt8 = 8, color: UInt8 = 0, interlace: UInt8 = 0,
    before: [(String, [UInt8])] = [],
    behind: [(String, [UInt8])] = [], crcError: UInt32 = 0
  ) -> [UInt8] {
    var file = PNGFile(width: width, height: height, bitDepth: depth, color: color, interlace: interlace)
    for (type, payload) in before { file.append(type, payload, crcError: crcError) }
    file.append("IDAT", [])
    for (type, payload) in behind { file.append(type, payload, crcError: crcError) }
    file.end()
    return file.bytes
  }

  private func info(_ file: [UInt8]) throws -> ImageInfo { try ImageDecoder.info(of: file) }

  @Test("Each type of color has its depths, and alpha or not")
  func colors() throws {
    let depths: [UInt8: [UInt8]] = [
      0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    for color: UInt8 in 0...8 {
      for depth: UInt8 in 0...17 {
        guard depths[color]?.contains(depth) == true else {
          #expect(throws: ImageCodecError.corrupt("color type \(color) with \(depth) bits")) {
            try info(file(depth: depth, color: color))
          }
          continue
        }
        let found = try info(file(width: 0x0102, height: 0x0304, depth: depth, color: color))
        #expect(
          found.storedSize == PixelSize(width: 0x0102, height: 0x0304) && found.bitsPerComponent == Int(depth)
        )
        #expect(
          found.hasAlpha == (color == 4 || color == 6) && !found.isProgressive && !found.isAnimated
            && found.orientation == .up)
        // Channels, and a copy of all with alpha.
        let channels = color == 4 || color == 6 ? 4 : color == 0 ? 1 : 3
        let cost = try ImageDecoder.byteCost(of: file(width: 10, height: 10, depth: depth, color: color))
        let gray = try ImageDecoder.byteCost(of: file(width: 10, height: 10, color: 0))
        #expect(cost - gray == 100 * (channels - 1), "\(color) \(depth)")
      }
    }
    #expect(try info(file(interlace: 1)).isProgressive && !info(file(interlace: 2)).isProgressive)
    for (width, height) in [(0, 1), (1, 0)] {
      #expect(throws: ImageCodecError.corrupt("an empty image")) {
        try info(file(width: width, height: height))
      }
    }
  }

  @Test("The first chunk is a header of thirteen bytes with its checksum")
  func header() throws {
    let whole = file()
    let content = Array(whole[16..<29])
    func begun(_ type: String, _ payload: [UInt8]) -> [UInt8] {
      let checked = Array(type.utf8) + payload
      return Array(whole[..<8]) + big(payload.count, count: 4) + checked
        + big(Int(Checksum.crc(checked)), count: 4)
    }
    #expect(try info(begun("IHDR", content)).storedSize == PixelSize(width: 1, height: 1))
    for wrong in [
      begun("IHDR", Array(content.dropLast())), begun("IHDR", content + [0]), begun("iHDR", content),
      begun("IHDR", []),
    ] {
      #expect(throws: ImageCodecError.corrupt("no image header")) { try info(wrong) }
    }
    for place in 16..<33 {
      var damaged = whole
      damaged[place] ^= 0x40
      #expect(throws: ImageCodecError.corrupt("no image header"), "\(place)") { try info(damaged) }
    }
    for count in 8..<33 {
      #expect(throws: ImageCodecError.truncated, "\(count)") { try info(Array(whole.prefix(count))) }
    }
  }

  @Test("Transparency and animation count before the data, and chunks behind the end not at all")
  func order() throws {
    let transparent = ("tRNS", [0, 9] as [UInt8])
    let animated = ("acTL", big(1, count: 4) + big(0, count: 4))
    let exif = ("eXIf", Exif.data(orientation: 6, bigEndian: true))
    #expect(try info(file(before: [transparent])).hasAlpha && !info(file(behind: [transparent])).hasAlpha)
    #expect(try info(file(before: [animated])).isAnimated && info(file(behind: [animated])).isAnimated)
    #expect(
      try info(file(before: [exif])).orientation == .right && info(file(behind: [exif])).orientation == .right
    )
    #expect(try info(file(before: [exif], crcError: 1)).orientation == .up)
    var ended = PNGFile(width: 1, height: 1, color: 0)
    for (type, payload) in [("IDAT", []), ("IEND", []), exif] { ended.append(type, payload) }
    #expect(try info(ended.bytes).orientation == .up)
    // The last of two.
    let other = ("eXIf", Exif.data(orientation: 3, bigEndian: true))
    #expect(try info(file(before: [exif, other])).orientation == .down)
  }

  /// Two frames, with an animation chunk of this content.
  private func reader(_ content: [UInt8]) throws -> (
    plays: Int?, frames: Int
  ) {
    var file = PNGFile(width: 1, height: 1, color: 0)
    file.append("acTL", content)
    let area: [UInt8] = [0, 1, 1, 0, 0].flatMap { big($0, count: 4) }
    let head: [UInt8] = area + [0, 1, 0, 10, 0, 0]
    file.append("fcTL", head)
    file.append(rows: [[7]])
    file.append("fcTL", big(1, count: 4) + head[4...])
    file.append("fdAT", big(2, count: 4) + Deflate.stored([0, 9]))
    file.end()
    let reader = try AnimationReader(file.bytes)
    var count = 0
    while try reader.next() != nil { count += 1 }
    return (reader.plays, count)
  }

  @Test("An animation has the frames and the number of plays of its control chunk, if that is valid")
  func animations() throws {
    for (plays, expected) in [(0, nil), (1, 1), (2, 2), (0x01020304, 0x01020304)] as [(Int, Int?)] {
      let found = try reader(big(2, count: 4) + big(plays, count: 4))
      #expect(found.plays == expected && found.frames == 2)
    }
  }

  @Test("A checksum of the end is checked, and an end of more than 65,536 bytes is damaged")
  func ends() throws {
    let pixels: [[UInt8]] = [[9]]
    for (count, crcError, isComplete) in [
      (0, 0, true), (1, 0, true), (65_536, 0, true), (65_537, 0, false), (0, 1, false),
    ] as [(Int, UInt32, Bool)] {
      var file = PNGFile(width: 1, height: 1, color: 0)
      file.append(rows: pixels)
      file.append("IEND", [UInt8](repeating: 0, count: count), crcError: crcError)
      var options = DecodingOptions()
      options.limits.incomplete = .refuse
      let image = try? ImageDecoder.decode(file.bytes, options: options)
      #expect((image?.bytes == [9]) == isComplete, "\(count) \(crcError)")
      // Its pixels are there.
      #expect(try ImageDecoder.decode(file.bytes).bytes == [9], "\(count) \(crcError)")
    }
  }
}
