import ImageCodecs
import Testing

@Suite("Boxes of every version")
struct BoxesFormTests {
  private func exif(_ form: BoxesForm) throws -> [UInt8]? { try ImageMetadata(of: form.bytes).exif?.bytes }

  private func size(_ form: BoxesForm) throws -> PixelSize {
    try ImageDecoder.info(of: form.bytes).storedSize
  }

  @Test("Places of items are read in all versions, and numbers of all sizes", arguments: 0...2)
  func places(version: Int) throws {
    var form = BoxesForm(placesVersion: version)
    for offset in [0, 4, 8] {
      for length in [0, 4, 8] {
        for base in [0, 4, 8] where offset + base > 0 {
          for index in version == 0 ? [0] : [0, 4, 8] {
            for parts in [[], [1], [4, 3]] where (offset > 0 && length > 0) || parts.isEmpty {
              form.sizes = (offset, length, base, index)
              form.parts = parts
              // The data end with the file.
              #expect(try exif(form) == form.exif, "\(form.sizes) \(parts)")
              #expect(try size(form) == PixelSize(width: 6, height: 4))
            }
          }
        }
      }
    }
    if version > 0 {
      form.isInside = true
      for parts in [[], [1], [4, 3]] {
        form.sizes = (4, 4, 0, 0)
        form.parts = parts
        #expect(try exif(form) == form.exif, "\(parts)")
      }
    }
    form = BoxesForm(placesVersion: version, parts: [7])
    form.endsWithSource = true
    #expect(try exif(form) == form.exif)
    form.placesVersion = 3
    #expect(try exif(form) == nil)
  }

  @Test("Numbers of eight bytes that exceed every file, and parts beyond the file, are not read")
  func beyond() throws {
    var form = BoxesForm(sizes: (8, 8, 0, 0))
    let bytes = form.bytes
    let length = big(form.exif.count + 4, count: 8)
    let place = try #require(bytes.positions(of: length).first)
    for distance in [-8, 0] {
      var wild = bytes
      wild[place + distance] = 1
      #expect(try ImageMetadata(of: wild).exif == nil)
    }
    form.sizes = (4, 4, 0, 0)
    let whole = form.bytes
    let last = try #require(whole.positions(of: big(form.exif.count + 4, count: 4)).first)
    for (error, isRead) in [(0, true), (1, false)] {
      var other = whole
      other.replaceSubrange(last..<last + 4, with: big(form.exif.count + 4 + error, count: 4))
      #expect(try (ImageMetadata(of: other).exif != nil) == isRead)
    }
    #expect(try ImageMetadata(of: whole.dropLast()).exif == nil)
  }

  @Test("Lists of items and properties are read in all versions")
  func versions() throws {
    for main in 0...1 {
      for list in 0...1 {
        for entry in 1...3 {
          for associations in 0...1 {
            for isWide in [false, true] {
              let form = BoxesForm(
                mainVersion: main, listVersion: list, entryVersion: entry, associationsVersion: associations,
                hasWideAssociations: isWide)
              #expect(try exif(form) == (entry >= 2 ? form.exif : nil), "\(main) \(list) \(entry)")
              #expect(try size(form) == PixelSize(width: 6, height: 4), "\(main) \(associations) \(isWide)")
            }
          }
        }
      }
    }
  }

  @Test("Properties are those of the main image, by their numbers from 1")
  func properties() throws {
    let sizes = [BoxesForm.size(0x0102_0304, 0x0506_0708), BoxesForm.size(7, 3), BoxesForm.size(9, 2)]
    let expected = [(0x0102_0304, 0x0506_0708), (7, 3), (9, 2)]
    for isWide in [false, true] {
      for (index, (width, height)) in expected.enumerated() {
        for associations in [
          [index + 1], [0, index + 1], [index + 1, 4], [99, index + 1], [(index + 1) % 3 + 1, index + 1],
        ] {
          let form = BoxesForm(hasWideAssociations: isWide, properties: sizes, associations: associations)
          #expect(try size(form) == PixelSize(width: width, height: height), "\(associations)")
        }
      }
      #expect(throws: ImageCodecError.corrupt("an image without a size")) {
        try size(BoxesForm(hasWideAssociations: isWide, properties: sizes, associations: [0, 4]))
      }
    }
    // Of many properties, the numbers are larger than a byte has room for.
    let many = [[UInt8]](repeating: BoxesFile.box("free", []), count: 299) + [sizes[1]]
    #expect(
      try size(BoxesForm(hasWideAssociations: true, properties: many, associations: [300]))
        == PixelSize(width: 7, height: 3))
    for (width, height) in [(0, 3), (3, 0)] {
      #expect(throws: ImageCodecError.corrupt("an image without a size")) {
        try size(BoxesForm(properties: [BoxesForm.size(width, height)]))
      }
    }
  }

  @Test("Depth, turns, mirrors and alpha are read from properties")
  func info() throws {
    func info(_ more: [[UInt8]]) throws -> ImageInfo {
      let form = BoxesForm(
        properties: [BoxesForm.size(6, 4)] + more, associations: [1] + more.indices.map { $0 + 2 })
      return try ImageDecoder.info(of: form.bytes)
    }
    let plain = try info([])
    #expect(
      plain.bitsPerComponent == 8 && plain.orientation == .up && !plain.hasAlpha && !plain.isAnimated
        && plain.format == .avif)
    for (content, bits) in [
      ([0, 0, 0, 0, 3, 10, 9, 9], 10), ([0, 0, 0, 0, 1, 12], 12), ([0, 0, 0, 0, 3], 8),
    ] as [([UInt8], Int)] {
      #expect(try info([BoxesFile.box("pixi", content)]).bitsPerComponent == bits)
    }
    let pixi = BoxesFile.box("pixi", [0, 0, 0, 0, 3, 10])
    for (flags, bits) in [(0x0C, 8), (0x2C, 8), (0x4C, 10), (0x6C, 12), (0x9F, 8)] as [(UInt8, Int)] {
      let configuration = BoxesFile.box("av1C", [0x81, 0, flags, 0])
      #expect(try info([configuration]).bitsPerComponent == bits)
      // That of the image takes precedence, and that of its parts is the last resort.
      #expect(try info([configuration, pixi]).bitsPerComponent == 10)
      let form = BoxesForm(properties: [BoxesForm.size(6, 4), configuration], associations: [1])
      #expect(try ImageDecoder.info(of: form.bytes).bitsPerComponent == bits)
    }
    for (depth, bits) in [(0xF8, 8), (0xFA, 10), (0xFC, 12)] as [(UInt8, Int)] {
      let configuration = BoxesFile.box("hvcC", [UInt8](repeating: 1, count: 17) + [depth, 0xFF])
      #expect(try info([configuration]).bitsPerComponent == bits)
    }
    let turns: [ImageOrientation] = [.up, .left, .down, .right]
    for quarters in 0..<4 {
      // Other bits are reserved.
      for more: UInt8 in [0, 0xFC] {
        #expect(
          try info([BoxesFile.box("irot", [UInt8(quarters) | more])]).orientation == turns[quarters],
          "\(quarters)")
      }
    }
    #expect(try info([BoxesFile.box("irot", [])]).orientation == .up)
    for (axis, expected) in [
      ([0], .downMirrored), ([1], .upMirrored), ([0xFE], .downMirrored), ([0xFF], .upMirrored),
      ([], .downMirrored),
    ]
      as [([UInt8], ImageOrientation)]
    {
      #expect(try info([BoxesFile.box("imir", axis)]).orientation == expected, "\(axis)")
    }
    for (name, hasAlpha) in [
      ("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", true), ("urn:mpeg:hevc:2015:auxid:1", true),
      ("urn:mpeg:hevc:2015:auxid:2", false),
      ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", false),
    ] {
      #expect(
        try info([BoxesFile.box("auxC", [0, 0, 0, 0] + Array(name.utf8) + [0])]).hasAlpha == hasAlpha,
        "\(name)")
      #expect(try !info([BoxesFile.box("auxX", [0, 0, 0, 0] + Array(name.utf8) + [0])]).hasAlpha)
      #expect(try !info([BoxesFile.box("auxC", [0, 0, 0] + Array(name.utf8) + [0])]).hasAlpha)
    }
  }
}
