import ImageCodecs
import Testing

@Suite("Gain maps: bounds of numbers")
struct GainMapBoundsTests {
  private let fields: [(path: WritableKeyPath<GainMap.Channel, Double>, range: ClosedRange<Double>)] =
    [
      (\.minimum, -32...1), (\.maximum, 0...32), (\.gamma, 1.0 / 64...64), (\.baseOffset, -1...1),
      (\.offset, -1...1),
    ]

  @Test("Each number of a channel has a least and a greatest value")
  func channels() {
    let good = GainMap.Channel(minimum: 0, maximum: 1)
    #expect(good == GainMap.Channel(minimum: 0, maximum: 1, gamma: 1, baseOffset: 0.015625, offset: 0.015625))
    #expect(GainMap.Channel(maximum: 1) == good && GainMap.Channel(minimum: 1, maximum: 1).isValid)
    for (index, (path, range)) in fields.enumerated() {
      for (value, isValid) in [
        (range.lowerBound, true), (range.upperBound, true), (range.lowerBound.nextDown, false),
        (range.upperBound.nextUp, false),
      ] {
        var channel = good
        channel[keyPath: path] = value
        #expect(channel.isValid == isValid, "\(index): \(value)")
        for place in 0..<3 {
          var all = [good, good, good]
          all[place] = channel
          let metadata = GainMap.Metadata(red: all[0], green: all[1], blue: all[2], headroom: 1)
          #expect(metadata.isValid == isValid, "\(index): \(value)")
        }
      }
    }
  }

  @Test("Headrooms are from 0 to 32 stops, and the second is above the first")
  func headrooms() {
    let channel = GainMap.Channel(maximum: 1)
    #expect(GainMap.Metadata(channel, headroom: 1).baseHeadroom == 0)
    #expect(GainMap.Metadata(red: channel, green: channel, blue: channel, headroom: 1).baseHeadroom == 0)
    for (base, headroom, isValid) in [
      (0, 32, true), (0, 32.0.nextUp, false), (0.0.nextDown, 1, false), (0.5, 0.5.nextUp, true),
      (0.5, 0.5, false), (1, 0.5, false),
    ] as [(Double, Double, Bool)] {
      #expect(
        GainMap.Metadata(channel, baseHeadroom: base, headroom: headroom).isValid == isValid,
        "\(base) \(headroom)")
    }
    let metadata = GainMap.Metadata(channel, baseHeadroom: 1, headroom: 3)
    let displays: [Double] = [0, 1, 1.5, 2.5, 3, 4, -.infinity, .infinity]
    let weights = displays.map { metadata.weight(headroom: $0) }
    #expect(weights == [0, 0, 0.25, 0.75, 1, 1, 0, 1])
  }

  @Test("A gain map drops the color space, the scale and the gain map of its image, and keeps its pixels")
  func properties() throws {
    for pixels in [try Samples.picture(4, 3, .gray8), try Samples.picture(4, 3, .rgb8)] {
      var image = pixels
      image.colorSpace = .profile(try #require(.displayP3))
      image.scale = 2
      image.gainMap = try GainMap(image: pixels, metadata: GainMaps.metadata)
      var expected = pixels
      expected.colorSpace = .untagged

      #expect(try GainMap(image: image, metadata: GainMaps.metadata).image == expected)
      #expect(expected.scale == 1)
    }
  }

  /// What is read of the numbers of ISO 21496-1.
  private func metadata(flags: UInt8, _ numbers: [Int], version: Int = 0) throws -> GainMap.Metadata? {
    var file = try GainMapFile(Samples.picture(16, 8, .rgb8), map: Samples.picture(8, 8, .gray8))
    file.metadata = GainMapFile.iso(flags: flags, numbers, version: version)
    return try ImageDecoder.decode(file.bytes, options: GainMaps.decoding).gainMap?.metadata
  }

  @Test("Fractions have large denominators and numerators, with a sign only where it is needed")
  func fractions() throws {
    let half = 1 << 31
    let numbers = [
      half, 0xFFFF_FFFF, 0xC000_0000, half, -half, half, half, half, half, half, -1, half, -half, half,
    ]
    let channel = GainMap.Channel(
      minimum: -1, maximum: -1, gamma: 1, baseOffset: -1 / Double(half), offset: -1)
    let expected = GainMap.Metadata(channel, baseHeadroom: Double(half) / 0xFFFF_FFFF, headroom: 1.5)
    #expect(try metadata(flags: 0, numbers) == expected)
    let one = GainMap.Metadata(
      GainMap.Channel(minimum: -1, maximum: -1, baseOffset: -1, offset: -1), baseHeadroom: 0, headroom: 1.5)
    #expect(try metadata(flags: 8, [half, 0, 0xC000_0000, -half, -half, half, -half, -half]) == one)
    for place in stride(from: 1, to: numbers.count, by: 2) {
      var zero = numbers
      zero[place] = 0
      #expect(try metadata(flags: 0, zero) == nil, "\(place)")
      #expect(try metadata(flags: 0, Array(numbers.prefix(place))) == nil, "\(place)")
    }
  }

  @Test("Versions and flags that are not known are refused, and others are not")
  func flags() throws {
    let numbers = [0, 1, 3, 1, 0, 1, 3, 1, 1, 1, 1, 64, 1, 64]
    for flags: UInt8 in [0, 0x40, 1, 2, 0x10, 0x20] {
      #expect(try metadata(flags: flags, numbers) == GainMaps.metadata, "\(flags)")
    }
    #expect(try metadata(flags: 4, numbers) == nil && metadata(flags: 0x80, numbers) == nil)
    for version in [1, 256] { #expect(try metadata(flags: 0, numbers, version: version) == nil) }
  }

  @Test("Each row is a step at which HDR can be cancelled, once for light and once for gains")
  func steps() throws {
    func polls(_ height: Int, hasMap: Bool, headroom: Double = 3) throws -> Int {
      var image = try Samples.picture(4, height, .rgb8)
      if hasMap { image.gainMap = try GainMap(image: Samples.flat(1, 1, [200]), metadata: GainMaps.metadata) }
      var count = 0
      _ = try image.highDynamicRange(headroom: headroom) {
        count += 1
        return false
      }
      return count
    }

    #expect(try polls(16, hasMap: false) - polls(9, hasMap: false) == 7)
    #expect(try polls(16, hasMap: true) - polls(16, hasMap: false) == 16)
    #expect(try polls(16, hasMap: true, headroom: 0) == polls(16, hasMap: false))
  }
}
