import Foundation
import ImageCodecs
import Testing

@Suite("Gain maps")
struct GainMapTests {
  /// One pixel of each level, and one gain for all.
  private func image(gain: UInt8, _ metadata: GainMap.Metadata) throws -> Image {
    var image = try Image(bytes: 0...255, width: 16, height: 16, pixelFormat: .gray8)
    image.gainMap = try GainMap(image: Samples.flat(1, 1, [gain]), metadata: metadata)
    return image
  }

  private func light(_ level: Int) -> Double {
    let value = Double(level) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  @Test("Gains are applied by the published formula", arguments: [0, 64, 200, 255] as [UInt8])
  func formula(gain: UInt8) throws {
    let channel = GainMap.Channel(minimum: -0.5, maximum: 3.5, gamma: 1.8, baseOffset: 0.02, offset: 0.03)
    let metadata = GainMap.Metadata(channel, baseHeadroom: 0.5, headroom: 3)
    for (headroom, weight) in [(1.75, 0.5), (3, 1), (10, 1), (.infinity, 1)] as [(Double, Double)] {
      let result = try image(gain: gain, metadata).highDynamicRange(headroom: headroom)

      #expect(result.size == PixelSize(width: 16, height: 16))
      let stops = -0.5 + 4 * pow(Double(gain) / 255, 1 / 1.8)
      for level in 0..<256 {
        let expected = (light(level) + 0.02) * exp2(stops * weight) - 0.03
        for color in 0..<3 {
          let found = Double(result.samples[level * 3 + color])
          #expect(abs(found - expected) < 1e-5 * max(expected, 1), "\(level) at \(headroom)")
        }
      }
    }
  }

  @Test("Without headroom or without a gain map, light is that of the image")
  func noGain() throws {
    let image = try image(gain: 255, GainMap.Metadata(GainMap.Channel(maximum: 3), headroom: 3))
    var plain = image
    plain.gainMap = nil

    for headroom in [0, -1, -Double.infinity] {
      #expect(try image.highDynamicRange(headroom: headroom) == plain.highDynamicRange())
    }
    #expect(try abs(Double(plain.highDynamicRange().samples[200 * 3]) - light(200)) < 1e-6)
    let wide = try plain.widened().highDynamicRange()
    #expect(zip(wide.samples, try plain.highDynamicRange().samples).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(throws: ImageCodecError.invalidSetting("a headroom of nan")) {
      try image.highDynamicRange(headroom: .nan)
    }
  }

  @Test("A small gain map is stretched over its image, with gains between those of its pixels")
  func stretched() throws {
    var image = try Samples.flat(8, 1, [255, 255, 255])
    let channel = GainMap.Channel(maximum: 2, baseOffset: 0, offset: 0)
    let map = try Image(bytes: [0, 255], width: 2, height: 1, pixelFormat: .gray8)
    image.gainMap = try GainMap(image: map, metadata: GainMap.Metadata(channel, headroom: 2))

    let samples = try image.highDynamicRange().samples

    for (x, share) in [0, 0, 0.125, 0.375, 0.625, 0.875, 1, 1].enumerated() {
      #expect(abs(Double(samples[x * 3]) - exp2(2 * share)) < 1e-5)
    }
  }

  @Test("Each color has gains of its own")
  func colors() throws {
    var image = try Samples.flat(1, 1, [255, 255, 255])
    let channels = [1.0, 2, 3].map { GainMap.Channel(maximum: $0, baseOffset: 0, offset: 0) }
    image.gainMap = try GainMap(
      image: Samples.flat(1, 1, [255, 255, 255]),
      metadata: GainMap.Metadata(red: channels[0], green: channels[1], blue: channels[2], headroom: 3))

    #expect(try image.highDynamicRange().samples == [2, 4, 8])
  }

  @Test("HDR is bounded by the limits, and can be cancelled")
  func bounded() throws {
    let image = try image(gain: 9, GainMaps.metadata)
    var limits = DecodingLimits()
    limits.maximumDecodedBytes = 256 * 12 - 1

    #expect(throws: ImageCodecError.tooLarge(width: 16, height: 16, limit: .bytes(3_071))) {
      try image.highDynamicRange(limits: limits)
    }
    #expect(throws: ImageCodecError.cancelled) { try image.highDynamicRange(isCancelled: { true }) }
  }

  @Test("A gain map with unusable pixels or numbers is an error")
  func invalid() throws {
    let map = try Samples.flat(2, 2, [1])
    let good = GainMap.Channel(maximum: 1)
    var channels: [GainMap.Channel] = []
    for path in [\.minimum, \.maximum, \.gamma, \.baseOffset, \.offset]
      as [WritableKeyPath<GainMap.Channel, Double>]
    {
      for value in [-100, 100, .nan, .infinity] {
        var channel = good
        channel[keyPath: path] = value
        channels.append(channel)
      }
    }
    var all = channels.map { GainMap.Metadata(red: good, green: good, blue: $0, headroom: 1) }
    all += [-1, 1, 2, .nan].map { GainMap.Metadata(good, baseHeadroom: $0, headroom: 1) }
    all += [0, 33, .nan].map { GainMap.Metadata(good, headroom: $0) }

    for metadata in all {
      #expect(throws: ImageCodecError.invalidSetting("a gain map whose metadata is out of range")) {
        try GainMap(image: map, metadata: metadata)
      }
    }
    for format in [Image.PixelFormat.rgba8, .gray16, .rgb16, .rgba16] {
      #expect(throws: ImageCodecError.invalidSetting("a gain map of \(format)")) {
        try GainMap(image: Image(width: 1, height: 1, pixelFormat: format), metadata: GainMaps.metadata)
      }
    }
  }
}
