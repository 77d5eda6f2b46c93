import CCodecs
import Testing

/// A call of C with the bytes that it reads and writes.
private struct FencedCall: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let buffers: [[UInt8]]
  let body: @Sendable ([UnsafeMutablePointer<UInt8>]) -> Void

  init(
    _ name: String, _ buffers: [[UInt8]], _ body: @escaping @Sendable ([UnsafeMutablePointer<UInt8>]) -> Void
  ) {
    (testDescription, self.buffers, self.body) = (name, buffers, body)
  }

  func results(fence: FencedBytes.Side) -> [[UInt8]] {
    let places = buffers.map { FencedBytes($0, fence: fence) }
    body(places.map(\.start))
    return places.map(\.content)
  }

  static func noise(_ count: Int, _ seed: UInt64 = 3) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in random.byte() }
  }
}

@Suite("Pixels beside memory that nobody may touch")
struct FenceTests {
  @Test(
    "Functions of pixels touch no memory beside theirs, and what is beside it changes nothing",
    arguments: calls)
  private func fences(call: FencedCall) {
    #expect(call.results(fence: .before) == call.results(fence: .after))
  }

  private static let calls = [1, 3, 4].flatMap(calls(channels:)) + layouts + tables + orientations + gains

  private static func calls(channels: Int) -> [FencedCall] {
    let pixels = FencedCall.noise(15 * channels)
    let coefficients: [Float] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1]
    var calls: [FencedCall] = []
    func add(
      _ name: String, _ buffers: [[UInt8]],
      _ body: @escaping @Sendable ([UnsafeMutablePointer<UInt8>]) -> Void
    ) {
      calls.append(FencedCall("\(name), \(channels)", buffers, body))
    }
    add("a matrix", [pixels, raw(coefficients)]) {
      codec_apply_matrix($0[0], 15, channels, $0[1].floats, channels == 3)
    }
    add("a table", [pixels, FencedCall.noise(256)]) { codec_apply_table($0[0], 15, channels, $0[1]) }
    add("sharpening", [pixels, FencedCall.noise(15 * channels, 4)]) {
      codec_sharpen($0[0], $0[1], 15, channels, 0.7)
    }
    add("a vignette", [pixels]) { codec_vignette($0[0], 5, 3, channels, 0.1, 0.8) }

    let separate: [[UInt8]] = (0..<4).map { FencedCall.noise($0 < channels ? 15 : 0, UInt64($0)) }
    add("splitting", [pixels] + separate) { codec_split($0[0], 15, channels, $0[1], $0[2], $0[3], $0[4]) }
    add("merging", separate + [pixels]) { codec_merge($0[0], $0[1], $0[2], $0[3], 15, channels, $0[4]) }
    let wide = FencedCall.noise(30 * channels), plane = FencedCall.noise(30)
    for channel in 0..<channels {
      add("splitting wide", [wide, plane]) { codec_split_wide($0[0], 15, channels, channel, $0[1]) }
      add("merging wide", [plane, wide]) { codec_merge_wide($0[0], 15, channels, channel, $0[1]) }
      add("splitting light", [pixels, plane]) { codec_split_light($0[0], 15, channels, channel, $0[1]) }
      add("merging light", [plane, pixels]) { codec_merge_light($0[0], 15, channels, channel, $0[1]) }
    }

    let image = FencedCall.noise(17 * 18 * channels), other = FencedCall.noise(17 * 18 * channels, 4)
    for deviation: Float in [1.5, 3] {
      add("blurring", [image, other]) {
        var blur = CodecBlur(width: 17, height: 18, channels: channels, deviation: deviation, inLight: false)
        _ = codec_blur(&blur, $0[0], $0[1], { _ in true }, nil)
      }
    }
    let matrix = raw([Float](repeating: 0.3, count: 9)), weights = raw([Float](repeating: 0.3, count: 3))
    for isWide in [false, true] {
      add("tone mapping", [isWide ? wide : pixels, matrix, weights]) {
        let mapping = codec_tone_mapping_create(isWide, 1_000, $0[1].floats, $0[2].floats, channels, isWide)
        codec_tone_mapping_apply(mapping, $0[0], 15)
        codec_tone_mapping_destroy(mapping)
      }
    }
    return calls
  }

  private static var layouts: [FencedCall] {
    let (one, three, four) = (FencedCall.noise(7), FencedCall.noise(21), FencedCall.noise(28))
    let above = FencedCall.noise(28, 5), color = FencedCall.noise(4, 5)
    return [
      FencedCall("gray to RGBA", [one, four]) { codec_gray_to_rgba($0[0], 7, $0[1]) },
      FencedCall("RGB to RGBA", [three, four]) { codec_rgb_to_rgba($0[0], 7, $0[1]) },
      FencedCall("RGBA to RGB", [four, three]) { codec_rgba_to_rgb($0[0], 7, $0[1]) },
      FencedCall("gray to RGB", [one, three]) { codec_gray_to_rgb($0[0], 7, $0[1]) },
      FencedCall("flattening", [four, three]) { codec_flatten_over_white($0[0], 7, $0[1]) },
      FencedCall("CMYK", [four, three]) { codec_cmyk_to_rgb($0[0], 7, true, $0[1]) },
      FencedCall("narrowing", [FencedCall.noise(14), one]) { codec_narrow($0[0], 7, $0[1]) },
      FencedCall("blending", [four, above]) { codec_blend($0[0], $0[1], 4, 7, .overlay, 0.5) },
      FencedCall("blending one color", [four, color]) { codec_blend($0[0], $0[1], 0, 7, .exclusiveOr, 1) },
    ]
  }

  private static var tables: [FencedCall] {
    [
      FencedCall("gamma", [FencedCall.noise(256)]) { codec_gamma_table(2.2, $0[0]) },
      FencedCall("light", [FencedCall.noise(2_048)]) { codec_light_table($0[0].doubles) },
      FencedCall("cosines", [FencedCall.noise(56)]) { codec_cosines($0[0].doubles, 7, 3, 0.5) },
      FencedCall("round corners", [FencedCall.noise(252)]) {
        var rounding = CodecRounding(width: 9, height: 7, radius: 3, borderWidth: 1, border: (1, 2, 3, 4))
        codec_round_corners($0[0], &rounding)
      },
      FencedCall("turning", [FencedCall.noise(140), FencedCall.noise(288)]) {
        var turn = CodecTurn(width: 7, height: 5, turnedWidth: 9, turnedHeight: 8, degrees: 30)
        _ = codec_turn(&turn, $0[0], $0[1], { _ in true }, nil)
      },
    ]
  }

  private static var orientations: [FencedCall] {
    var calls: [FencedCall] = []
    for orientation: Int32 in 1...8 {
      for size in [1, 2, 3, 4, 6, 8] {
        let pixels = FencedCall.noise(33 * 35 * size), other = FencedCall.noise(33 * 35 * size, 4)
        calls.append(
          FencedCall("orientation \(orientation), \(size) bytes", [pixels, other]) {
            codec_orient($0[0], 33, 35, size, orientation, $0[1])
          })
      }
    }
    return calls
  }

  /// The last row and column of a map, and a map of one pixel.
  private static var gains: [FencedCall] {
    let rows: [Float] = (0..<60).map { Float($0) / 60 }
    var calls: [FencedCall] = []
    for channels in [1, 3] {
      for (mapWidth, mapHeight) in [(1, 1), (4, 3)] {
        let map = FencedCall.noise(mapWidth * mapHeight * channels), pixels = FencedCall.noise(20 * channels)
        calls.append(
          FencedCall("gains of \(channels)", [pixels, map, raw(rows)]) { places in
            let gain = CodecGainChannel(minimum: 0, maximum: 2, inverseGamma: 1, baseOffset: 0, offset: 0)
            var gainMap = CodecGainMap(
              pixels: places[1], width: mapWidth, height: mapHeight, channels: channels, weight: 1,
              gains: (gain, gain, gain))
            var base = CodecGainBase()
            base.pixels = UnsafeRawPointer(places[0])
            (base.width, base.height, base.channels) = (5, 4, channels)
            codec_gain_prepare(&base)
            for row in 0..<4 {
              codec_gain_light(&base, row, places[2].floats + row * 15)
              codec_gain_apply(&gainMap, 5, 4, row, places[2].floats + row * 15)
            }
          })
      }
    }
    return calls
  }
}
