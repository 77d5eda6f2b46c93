import ImageCodecs
import Testing

@Suite("TIFF headers")
struct TIFFHeaderTests {
  /// A TIFF of one directory without pixels: what is longer than an entry has room for is behind it.
  private func file(
    _ fields: [(tag: Int, type: Int, values: [Int])], isBigEndian: Bool = false, isLarge: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isBigEndian ? big(value, count: count) : little(value, count: count)
    }
    let (wide, sizes) = (isLarge ? 8 : 4, [1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1, 8: 2, 9: 4, 16: 8])
    let head =
      Array((isBigEndian ? "MM" : "II").utf8) + number(isLarge ? 43 : 42, 2)
      + (isLarge ? number(8, 2) + number(0, 2) : [])
    let start = head.count + wide
    let end = start + (isLarge ? 8 : 2) + fields.count * (4 + wide * 2) + wide
    var (entries, more): ([UInt8], [UInt8]) = ([], [])
    for (tag, type, values) in fields {
      let content = values.flatMap { number($0, sizes[type] ?? 0) }
      entries += number(tag, 2) + number(type, 2) + number(values.count, wide)
      if content.count > wide {
        entries += number(end + more.count, wide)
        more += content
      } else {
        entries += content + [UInt8](repeating: 0, count: wide - content.count)
      }
    }
    return head + number(start, wide) + number(fields.count, isLarge ? 8 : 2) + entries + number(0, wide)
      + more
  }

  /// Two by three pixels with other fields.
  private func info(_ fields: [Int: [Int]]) throws -> ImageInfo {
    var all = [256: [2], 257: [3]]
    all.merge(fields) { $1 }
    return try ImageDecoder.info(of: file(all.sorted { $0.key < $1.key }.map { ($0.key, 3, $0.value) }))
  }

  private func error(_ fields: [Int: [Int]]) -> ImageCodecError? {
    do {
      _ = try info(fields)
      return nil
    } catch { return error as? ImageCodecError }
  }

  private func unsupported(_ text: String) -> ImageCodecError { .unsupportedFeature("TIFF \(text)") }

  @Test("Numbers are read in both byte orders and both sizes of offsets, in their entry or elsewhere")
  func numbers() throws {
    for isBigEndian in [false, true] {
      for isLarge in [false, true] {
        for type in [1, 3, 4] + (isLarge ? [16] : []) {
          for samples in 1...8 {
            let fields = [
              (256, type, [201]), (257, type, [102]), (258, type, [Int](repeating: 8, count: samples)),
              (262, type, [1]), (274, type, [6]),
              (277, type, [samples]), (338, type, Array([0, 0, 0, 0, 0, 0, 2].suffix(samples - 1))),
            ]
            let found = try ImageDecoder.info(of: file(fields, isBigEndian: isBigEndian, isLarge: isLarge))
            #expect(
              found.storedSize == PixelSize(width: 201, height: 102) && found.orientation == .right,
              "\(type) \(samples)")
            #expect(found.bitsPerComponent == 8 && found.hasAlpha == (samples > 1), "\(type) \(samples)")
          }
        }
        // Other types are no integers without a sign.
        for type in [2, 6, 7, 8, 9] {
          let fields = [(256, 3, [2]), (257, 3, [3]), (258, 3, [8]), (274, type, [6])]
          #expect(
            try ImageDecoder.info(of: file(fields, isBigEndian: isBigEndian, isLarge: isLarge)).orientation
              == .up, "\(type)")
        }
      }
    }
    #expect(
      try ImageDecoder.info(of: file([(256, 4, [0x0102_0304]), (257, 3, [3])])).storedSize.width
        == 0x0102_0304)
  }

  @Test("Orientations are from 1 to 8, and others mean up", arguments: 0...9)
  func orientations(number: Int) throws {
    #expect(try info([274: [number]]).orientation == ImageOrientation(rawValue: number) ?? .up)
  }

  @Test("A directory has at most a thousand entries")
  func entries() throws {
    for (count, error) in [(998, nil), (999, .corrupt("a directory of 1001 entries"))]
      as [(Int, ImageCodecError?)]
    {
      for isLarge in [false, true] {
        let fields = [(256, 3, [2]), (257, 3, [3])] + (0..<count).map { _ in (700, 3, [1]) }
        let bytes = file(fields, isLarge: isLarge)
        if let error {
          #expect(throws: error) { try ImageDecoder.info(of: bytes) }
        } else {
          #expect(try ImageDecoder.info(of: bytes).storedSize == PixelSize(width: 2, height: 3))
        }
      }
    }
    let whole = file([(256, 3, [2]), (257, 3, [3])])
    for count in 4..<whole.count - 4 {
      #expect(throws: ImageCodecError.truncated, "\(count)") {
        try ImageDecoder.info(of: whole.prefix(count))
      }
    }
    #expect(try ImageDecoder.info(of: whole.dropLast(4)).storedSize.height == 3)
    let large = file([(256, 3, [2]), (257, 3, [3])], isLarge: true)
    for count in 4..<large.count - 8 {
      #expect(throws: ImageCodecError.truncated, "\(count)") {
        try ImageDecoder.info(of: large.prefix(count))
      }
    }
    for place in 4..<8 {
      var other = large
      other[place] ^= 1
      #expect(throws: ImageCodecError.corrupt("offsets of an unknown size")) {
        try ImageDecoder.info(of: other)
      }
    }
    #expect(
      error([256: [0]]) == .corrupt("an empty image") && error([257: [0]]) == .corrupt("an empty image"))
    #expect(error([256: []]) == .corrupt("an empty image"))
  }

  @Test("Samples have one number of bits, and there are one to eight")
  func samples() {
    #expect(error([258: [8, 8, 8], 277: [3]]) == nil)
    #expect(error([258: [8, 8, 4], 277: [3]]) == unsupported("of 3 samples of 8 bits"))
    for (count, isKnown) in [(0, false), (1, true), (8, true), (9, false)] {
      #expect(
        error([258: [8], 262: [1], 277: [count]])
          == (isKnown ? nil : unsupported("of \(count) samples of 8 bits")), "\(count)")
    }
    // More numbers than are read are none.
    #expect(error([258: [Int](repeating: 8, count: 16)]) == nil)
    #expect(error([258: [Int](repeating: 8, count: 17)]) == unsupported("of 1 samples of 1 bits"))
    for (colors, samples, bits) in [
      (0, 1, [1, 2, 4, 8, 12, 16, 24, 32, 64]), (1, 1, [1, 2, 3, 16, 24, 32, 64]), (2, 3, [1, 16, 64]),
      (3, 1, [1, 3, 4, 8]), (5, 4, [1, 8, 16]),
      (6, 3, [8, 16]), (8, 3, [8, 16]), (9, 3, [8, 16]), (32_844, 1, [8, 16]), (32_845, 3, [8, 16]),
    ] as [(Int, Int, [Int])] {
      for number in [0, 1, 2, 3, 4, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 32, 33, 63, 64, 65] {
        let isKnown =
          colors == 3
          ? (1...8).contains(number)
          : [6, 8, 9, 32_844, 32_845].contains(colors)
            ? bits.contains(number)
            : (1...16).contains(number) || [24, 32, 64].contains(number)
        #expect(
          error([258: [number], 262: [colors], 277: [samples]])
            == (isKnown ? nil : unsupported("of \(samples) samples of \(number) bits")),
          "\(colors) \(number)")
      }
      #expect(bits.allSatisfy { error([258: [$0], 262: [colors], 277: [samples]]) == nil }, "\(colors)")
      if samples > 1, ![6, 32_845].contains(colors) {
        #expect(
          error([258: [8], 262: [colors], 277: [samples - 1]])
            == unsupported("of \(samples - 1) samples of 8 bits"))
      }
    }
    for colors in [6, 32_844, 32_845] {
      for count in 1...4 {
        let expected = count <= 3 ? nil : unsupported("of 4 samples of 8 bits")
        #expect(error([258: [8], 262: [colors], 277: [count]]) == expected, "\(colors) \(count)")
      }
    }
    for colors in [4, 7, 10, 32_803] {
      #expect(error([262: [colors]]) == unsupported("of colors of the kind \(colors)"))
    }
    let inks = unsupported("of other inks than cyan, magenta, yellow and black")
    for (set, expected) in [(1, nil), (2, inks), (0, inks)] as [(Int, ImageCodecError?)] {
      #expect(error([258: [8], 262: [5], 277: [4], 332: [set]]) == expected)
    }
    // An old JPEG has colors that libtiff converts, whatever else it has.
    #expect(error([258: [8], 259: [6], 262: [4], 277: [3]]) == nil)
  }

  @Test("The format of samples is one that their colors can have")
  func formats() {
    let signed = unsupported("of samples with a sign")
    let floating = unsupported("of floating-point samples that are not gray, RGB or inks")
    for (colors, samples, format, expected) in [
      (1, 1, 1, nil), (1, 1, 4, nil), (1, 1, 2, signed), (1, 1, 5, unsupported("of samples of format 5")),
      (1, 1, 0, unsupported("of samples of format 0")),
      (2, 3, 2, signed), (3, 1, 2, signed), (5, 4, 2, signed), (8, 3, 2, nil), (9, 3, 2, nil), (6, 3, 2, nil),
      (3, 1, 3, floating),
      (6, 3, 3, floating), (8, 3, 3, floating), (9, 3, 3, floating),
      (1, 1, 3, unsupported("of 1 samples of 8 bits")),
    ] as [(Int, Int, Int, ImageCodecError?)] {
      #expect(
        error([258: [8], 262: [colors], 277: [samples], 339: [format]]) == expected, "\(colors) \(format)")
    }
    for bits in [8, 12, 16, 24, 32, 63, 64] {
      let isKnown = [16, 32, 64].contains(bits)
      for (colors, samples) in [(0, 1), (1, 1), (2, 3), (5, 4)] {
        #expect(
          error([258: [bits], 262: [colors], 277: [samples], 339: [3]])
            == (isKnown ? nil : unsupported("of \(samples) samples of \(bits) bits")))
      }
    }
    #expect(
      error([258: [8], 262: [1], 277: [2], 339: [1, 4]]) == unsupported("of samples of several formats"))
    #expect(error([258: [8], 262: [1], 339: []]) == nil)
  }

  @Test("A sample behind the colors is alpha if it says so, or if there is one of which nothing is said")
  func alpha() throws {
    for (colors, count) in [(0, 1), (1, 1), (2, 3), (3, 1), (5, 4), (8, 3), (9, 3)] {
      for (extras, more, hasAlpha) in [
        ([], 0, false), ([], 1, true), ([], 2, false), ([0], 1, false), ([1], 1, true), ([2], 1, true),
        ([3], 1, false), ([2], 0, false),
        ([0, 2], 2, true), ([0, 2], 1, false), ([0, 0], 2, false), ([1, 2], 2, true),
      ] as [([Int], Int, Bool)] {
        let found = try info([258: [8], 262: [colors], 277: [count + more], 338: extras])
        #expect(found.hasAlpha == hasAlpha, "\(colors) \(extras) \(more)")
      }
    }
    #expect(try !info([258: [8], 262: [6], 277: [2], 338: [2]]).hasAlpha)
    // Colors of which nothing is said are gray, or red, green and blue.
    for (samples, hasAlpha) in [(1, false), (2, true), (3, false), (4, true), (5, false)] {
      #expect(try info([258: [8], 277: [samples]]).hasAlpha == hasAlpha, "\(samples)")
    }
  }

  @Test("A predictor is one that the samples can have, if the compression has one")
  func predictors() {
    for compression in [5, 8, 32_946, 34_925, 50_000] {
      for bits in [4, 8, 12, 16, 24, 32, 64] {
        for (predictor, isKnown) in [
          (0, false), (1, true), (2, [8, 16, 32, 64].contains(bits)), (3, false), (4, false),
        ] {
          let expected = isKnown ? nil : unsupported("with predictor \(predictor) of samples of \(bits) bits")
          #expect(
            error([258: [bits], 259: [compression], 262: [1], 317: [predictor]]) == expected,
            "\(compression) \(bits) \(predictor)")
        }
      }
      #expect(error([258: [16], 259: [compression], 262: [1], 317: [3], 339: [3]]) == nil)
      #expect(error([258: [4], 259: [compression], 262: [1]]) == nil)
    }
    for compression in [1, 2, 7, 32_773] {
      #expect(error([258: [4], 259: [compression], 262: [1], 317: [2]]) == nil, "\(compression)")
    }
  }

  @Test("A number of eight bytes is none if it needs more than six, and a field of so many numbers has none")
  func large() throws {
    let up = ImageOrientation.up
    for isBigEndian in [false, true] {
      for (bit, orientation) in [(nil, .right), (48, up), (55, up), (56, up), (62, up)]
        as [(Int?, ImageOrientation)]
      {
        let value = 6 | (bit.map { 1 << $0 } ?? 0)
        let fields = [(256, 3, [2]), (257, 3, [3]), (274, 16, [value])]
        let bytes = file(fields, isBigEndian: isBigEndian, isLarge: true)
        #expect(try ImageDecoder.info(of: bytes).orientation == orientation, "\(value)")
      }
      // The count of the third field, which begins 64 bytes from the start.
      let fields = [(256, 3, [2]), (257, 3, [3]), (274, 3, [6])]
      let one = file(fields, isBigEndian: isBigEndian, isLarge: true)
      let count = 64 + 4..<64 + 12
      #expect(Array(one[count]) == (isBigEndian ? big(1, count: 8) : little(1, count: 8)))
      for place in isBigEndian ? [count.lowerBound, count.lowerBound + 1] : [count.upperBound - 1] {
        var many = one
        many[place] = 1
        #expect(try ImageDecoder.info(of: many).orientation == .up)
      }
      #expect(try ImageDecoder.info(of: one).orientation == .right)
    }
  }

  @Test("Bytes after the last field of a directory are no field")
  func behindDirectory() throws {
    var bytes = file([(256, 3, [2]), (257, 3, [3])])
    // The place of a next directory that would be the tag and the type of an orientation.
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: little((274, 2), (3, 2)))
    bytes += little((1, 4), (6, 4))

    #expect(try ImageDecoder.info(of: bytes).orientation == .up)
  }

  @Test("A directory of up to 65,535 fields may be there, and a larger one is none")
  func directories() {
    for (count, isLarge, isKnown) in [
      (65_535, false, true), (65_535, true, true), (65_536, true, false), (1_001, true, true),
    ] {
      let head: [UInt8] =
        isLarge ? [43, 0, 8, 0, 0, 0] + little(16, count: 8) : [42, 0] + little(8, count: 4)
      let entries = [UInt8](repeating: 0, count: count * (isLarge ? 20 : 12))
      let bytes = Array("II".utf8) + head + little(count, count: isLarge ? 8 : 2) + entries

      let expected: ImageCodecError = isKnown ? .corrupt("a directory of \(count) entries") : .truncated
      #expect(throws: expected) { try ImageDecoder.info(of: bytes) }
      // Without its last byte, it is not there.
      #expect(throws: ImageCodecError.truncated) { try ImageDecoder.info(of: Array(bytes.dropLast())) }
    }
  }

  @Test("The size of offsets is unknown if it is not eight, as soon as it can be read")
  func offsetSizes() {
    let start = Array("II".utf8) + little((43, 2), (4, 2), (0, 2))
    #expect(throws: ImageCodecError.corrupt("offsets of an unknown size")) {
      try ImageDecoder.info(of: start)
    }
    #expect(throws: ImageCodecError.truncated) { try ImageDecoder.info(of: Array(start.dropLast())) }
  }
}
