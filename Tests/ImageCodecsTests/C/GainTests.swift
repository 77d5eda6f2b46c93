import CCodecs
import Foundation
import Testing

@Suite("Gains of light and their definition")
struct GainTests {
  private static func light(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  @Test("Light is read from pixels of any layout, in all three colors", arguments: [1, 3, 4], [false, true])
  func light(channels: Int, isWide: Bool) {
    var random = SeededRandom(seed: 11)
    let (width, height) = (5, 3)
    let samples = (0..<width * height * channels).map { _ in UInt16(truncatingIfNeeded: random.next() >> 20) }
    let bytes = isWide ? raw(samples) : samples.map { UInt8($0 >> 8) }
    bytes.withUnsafeBytes { pixels in
      var base = CodecGainBase()
      (base.pixels, base.width, base.height) = (pixels.baseAddress, width, height)
      (base.channels, base.isWide) = (channels, isWide)
      codec_gain_prepare(&base)
      for row in 0..<height {
        var found = [Float](repeating: 9, count: width * 3)

        codec_gain_light(&base, row, &found)

        for index in found.indices {
          let sample = samples[(row * width + index / 3) * channels + (channels == 1 ? 0 : index % 3)]
          let expected = Self.light(of: isWide ? Double(sample) / 65_535 : Double(sample >> 8) / 255)
          #expect(abs(Double(found[index]) - expected) < 1e-6, "row \(row), \(index)")
        }
      }
    }
  }

  @Test("The table of light has all 256 values, and nothing is written beyond it")
  func table() {
    let count = MemoryLayout<CodecGainBase>.size,
      offset = MemoryLayout<CodecGainBase>.offset(of: \.light) ?? 0
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 8)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0xEE, count: count)

    codec_gain_prepare(memory.assumingMemoryBound(to: CodecGainBase.self))

    for code in 0..<256 {
      let found = (memory + offset).load(fromByteOffset: code * 4, as: Float.self)
      #expect(abs(Double(found) - Self.light(of: Double(code) / 255)) < 1e-6)
    }
    #expect((offset + 1_024..<count).allSatisfy { memory.load(fromByteOffset: $0, as: UInt8.self) == 0xEE })
  }

  @Test(
    "Each color of a row has its gain, from a map of any size and of one or three channels",
    arguments: [(1, 1), (2, 3), (3, 2), (7, 5), (9, 11)], [1, 3])
  func gains(mapSize: (Int, Int), channels: Int) {
    let (mapWidth, mapHeight) = mapSize, (width, height) = (7, 5)
    var random = SeededRandom(seed: 3)
    let map = (0..<mapWidth * mapHeight * channels).map { _ in random.byte() }
    let gains = [
      CodecGainChannel(minimum: -0.5, maximum: 3.5, inverseGamma: 0.55, baseOffset: 0.02, offset: 0.03),
      CodecGainChannel(minimum: 0.25, maximum: 1.5, inverseGamma: 1, baseOffset: 0.04, offset: -0.01),
      CodecGainChannel(minimum: 1, maximum: 2, inverseGamma: 0, baseOffset: 0, offset: 0.5),
    ]
    func level(_ x: Int, _ y: Int, _ color: Int) -> Double {
      // The middle of a pixel, in pixels of the map between their middles.
      let across = min(max((Double(x) + 0.5) * Double(mapWidth) / 7 - 0.5, 0), Double(mapWidth - 1))
      let down = min(max((Double(y) + 0.5) * Double(mapHeight) / 5 - 0.5, 0), Double(mapHeight - 1))
      var sum = 0.0
      for row in 0..<mapHeight {
        for column in 0..<mapWidth {
          let share = max(0, 1 - abs(across - Double(column))) * max(0, 1 - abs(down - Double(row)))
          sum += share * Double(map[(row * mapWidth + column) * channels + (channels == 1 ? 0 : color)])
        }
      }
      return sum / 255
    }
    map.withUnsafeBufferPointer { pixels in
      for weight: Float in [1, 0.4] {
        var gainMap = CodecGainMap(
          pixels: pixels.baseAddress, width: mapWidth, height: mapHeight, channels: channels, weight: weight,
          gains: (gains[0], gains[1], gains[2]))
        for y in 0..<height {
          let before = (0..<width * 3).map { Float($0 * 5 % 21) / 20 }
          var samples = before

          codec_gain_apply(&gainMap, width, height, y, &samples)

          for index in samples.indices {
            let gain = gains[index % 3]
            let stored = pow(level(index / 3, y, index % 3), Double(gain.inverseGamma))
            let stops = Double(gain.minimum) + Double(gain.maximum - gain.minimum) * stored
            let light = (Double(before[index]) + Double(gain.baseOffset)) * exp2(stops * Double(weight))
            #expect(abs(Double(samples[index]) - (light - Double(gain.offset))) < 1e-4, "row \(y), \(index)")
          }
        }
      }
    }
  }
}
