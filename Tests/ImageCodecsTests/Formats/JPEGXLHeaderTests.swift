import ImageCodecs
import Testing

@Suite("JPEG XL headers field by field")
struct JPEGXLHeaderTests {
  /// The memory per pixel: 9 bytes for a frame of blocks with three channels, and 35 for other images.
  private func cost(_ header: JPEGXLHeader) throws -> Int {
    try ImageDecoder.byteCost(of: header.bytes) / 4_096
  }

  /// Behind "no defaults": whether there is a profile, the space, white point, primaries, transfer function, and intent.
  private static let colors: [(colors: [(Int, Int)], isGray: Bool, isKnown: Bool)] = [
    ([(0, 1), (0, 2), (1, 2), (1, 2), (0, 1), (2, 2), (11, 4), (1, 2)], false, true),
    (
      [(0, 1), (0, 2), (2, 2), (15, 4), (2, 2), (15, 4), (1, 1), (0xFF_FFFF, 24), (3, 2), (63, 6)], false,
      true
    ),
    ([(0, 1), (1, 2), (1, 2), (0, 1), (2, 2), (11, 4), (1, 2)], true, true),
    ([(0, 1), (1, 2), (1, 2), (1, 1), (0xFF_FFFF, 24), (1, 2)], true, true),
    ([(0, 1), (0, 2), (2, 2), (0, 4), (1, 2), (0, 1), (1, 2), (1, 2)], false, false),
    ([(0, 1), (0, 2), (1, 2), (2, 2), (0, 4), (0, 1), (1, 2), (1, 2)], false, false),
    ([(0, 1), (1, 2), (2, 2), (0, 4), (0, 1), (1, 2), (1, 2)], true, false),
    ([(1, 1), (0, 2), (1, 2), (1, 2), (0, 1), (1, 2), (1, 2)], false, false),
    ([(1, 1), (1, 2), (1, 2), (0, 1), (1, 2), (1, 2)], true, false),
    ([(0, 1), (2, 2), (0, 4), (1, 2), (1, 2), (0, 1), (1, 2), (1, 2)], false, false),
  ]

  @Test("Colors are skipped field by field", arguments: colors.indices)
  func skippedColors(index: Int) throws {
    let (colors, isGray, isKnown) = Self.colors[index]
    let header = JPEGXLHeader(isLossy: true, colors: colors)
    #expect(try cost(header) == (isKnown ? 6 : 32) + (isGray ? 1 : 3))
    #expect(try ImageDecoder.info(of: header.bytes).isProgressive)
    #expect(try !ImageDecoder.info(of: JPEGXLHeader(isLossy: false, colors: colors).bytes).isProgressive)
  }

  @Test("A depth is one of six, or any up to 64 bits")
  func depths() throws {
    for (fields, bits) in [
      ([(0, 1), (0, 2)], 8), ([(0, 1), (1, 2)], 10), ([(0, 1), (2, 2)], 12), ([(0, 1), (3, 2), (0, 6)], 1),
      ([(0, 1), (3, 2), (63, 6)], 64),
      ([(1, 1), (0, 2), (7, 4)], 32), ([(1, 1), (1, 2), (4, 4)], 16), ([(1, 1), (2, 2), (6, 4)], 24),
      ([(1, 1), (3, 2), (17, 6), (15, 4)], 18),
    ] as [([(Int, Int)], Int)] {
      let header = JPEGXLHeader(depth: fields)
      #expect(try ImageDecoder.info(of: header.bytes).bitsPerComponent == bits)
      #expect(try cost(header) == 9, "\(bits)")
    }
  }

  @Test("A side has 9, 13, 18 or 30 bits, or is a multiple of eight")
  func sizes() throws {
    for (width, height) in [(1, 512), (513, 8_192), (8_193, 262_144), (262_145, 1), (1 << 30, 2)] {
      let bytes = JPEGXLStream.header(width, height, channels: 0).bytes + [UInt8](repeating: 0, count: 16)
      #expect(try ImageDecoder.info(of: bytes).storedSize == PixelSize(width: width, height: height))
    }
    for (width, height) in [(8, 256), (256, 8), (64, 16)] {
      var stream = JPEGXLStream()
      for (value, count) in [(1, 1), (height / 8 - 1, 5), (0, 3), (width / 8 - 1, 5), (1, 1)] {
        stream.write(value, count)
      }
      #expect(try ImageDecoder.info(of: stream.bytes).storedSize == PixelSize(width: width, height: height))
    }
  }

  private func writing(_ fields: [(Int, Int)]) -> (inout JPEGXLStream) -> Void {
    { stream in for (value, count) in fields { stream.write(value, count) } }
  }

  @Test("Previews, animations and channels of every form are skipped")
  func forms() throws {
    let sides: [[(Int, Int)]] = [
      [(1, 1), (0, 2)], [(1, 1), (1, 2)], [(1, 1), (2, 2), (31, 5)], [(1, 1), (3, 2), (511, 9)],
      [(0, 1), (0, 2), (63, 6)],
      [(0, 1), (1, 2), (255, 8)], [(0, 1), (2, 2), (1_023, 10)], [(0, 1), (3, 2), (4_095, 12)],
    ]
    let ticks: [[(Int, Int)]] = [[(0, 2)], [(1, 2)], [(2, 2), (1_023, 10)], [(3, 2), (0x3FFF_FFFF, 30)]]
    let divisors: [[(Int, Int)]] = [[(0, 2)], [(1, 2)], [(2, 2), (255, 8)], [(3, 2), (1_023, 10)]]
    let plays: [[(Int, Int)]] = [
      [(0, 2)], [(1, 2), (7, 3)], [(2, 2), (65_535, 16)], [(3, 2), (0xFFFF_FFFF, 32)],
    ]
    let depth = [(0, 1), (3, 2), (20, 6)]
    for (index, side) in sides.enumerated() {
      for ratio in [0, 3] {
        var fields = [(5, 3), (0, 1), (1, 1)]
        fields += side
        fields.append((ratio, 3))
        if ratio == 0 { fields += side.dropFirst() }
        fields.append((0, 1))
        let info = try ImageDecoder.info(
          of: JPEGXLHeader(extraFields: writing(fields), depth: depth).bytes)
        #expect(info.bitsPerComponent == 21 && !info.isAnimated && info.orientation.rawValue == 6, "\(index)")
      }
    }
    for tick in ticks {
      for divisor in divisors {
        for play in plays {
          var fields = [(7, 3), (0, 1), (0, 1), (1, 1)]
          for part in [tick, divisor, play, [(1, 1)]] { fields += part }
          let info = try ImageDecoder.info(
            of: JPEGXLHeader(extraFields: writing(fields), depth: depth).bytes)
          #expect(info.bitsPerComponent == 21 && info.isAnimated && info.orientation.rawValue == 8)
        }
      }
    }
    let gray = [(0, 1), (1, 2), (1, 2), (0, 1), (2, 2), (11, 4), (1, 2)]
    let shifts: [[(Int, Int)]] = [[(0, 2)], [(1, 2)], [(2, 2)], [(3, 2), (7, 3)]]
    let names: [([(Int, Int)], Int)] = [
      ([(0, 2)], 0), ([(1, 2), (9, 4)], 9), ([(2, 2), (31, 5)], 47), ([(3, 2), (5, 10)], 53),
    ]
    let kinds: [([(Int, Int)], [(Int, Int)])] = [
      ([(0, 2)], [(1, 1)]), ([(1, 2)], []),
      ([(2, 2), (0, 4)], [(0xFFFF, 16), (0xFFFF, 16), (0xFFFF, 16), (0xFFFF, 16)]),
      ([(2, 2), (1, 4)], []), ([(2, 2), (3, 4)], [(0, 2)]), ([(2, 2), (3, 4)], [(1, 2), (3, 2)]),
      ([(2, 2), (3, 4)], [(2, 2), (15, 4)]),
      ([(2, 2), (3, 4)], [(3, 2), (255, 8)]), ([(3, 2), (63, 6)], []),
    ]
    for shift in shifts {
      for (name, length) in names {
        for (index, (kind, rest)) in kinds.enumerated() {
          let letters = [(Int, Int)](repeating: (0xFF, 8), count: length)
          let parts = [[(0, 1)], kind, [(1, 1), (1, 2), (15, 4)], shift, name, letters, rest]
          let channel: (inout JPEGXLStream) -> Void = { stream in
            for (value, count) in parts.joined() { stream.write(value, count) }
          }
          for channels in [[channel], [channel, channel], [channel, channel, channel]] {
            let bytes = JPEGXLHeader(channels: channels, colors: gray).bytes
            #expect(
              try ImageDecoder.info(of: bytes).hasAlpha == (index == 0)
                && ImageDecoder.info(of: bytes).isProgressive)
            #expect(
              try ImageDecoder.byteCost(of: bytes) / 4_096 == (index == 0 ? 48 : 33), "\(index) \(length)")
          }
        }
      }
    }
  }
}
