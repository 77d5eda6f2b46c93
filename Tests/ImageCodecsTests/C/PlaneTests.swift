import CCodecs
import Testing

@Suite("Pixel planes")
struct PlaneTests {
  /// Vector code takes blocks of 16 or 32 pixels, and what is left one by one.
  static let counts = Array(0...70) + [127, 128, 129, 1000]

  @Test("Splitting gives each plane its channel, and writes nothing beyond its end", arguments: [1, 3, 4])
  func splits(channels: Int) {
    for count in Self.counts {
      let packed = (0..<count * channels).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 256) }
      let untouched = [UInt8](repeating: 0xEE, count: count + 64)
      var (first, second, third, fourth) = (untouched, untouched, untouched, untouched)

      codec_split(packed, count, channels, &first, &second, &third, &fourth)

      for (channel, plane) in [first, second, third, fourth].enumerated() {
        let expected =
          channel < channels
          ? (0..<count).map { packed[$0 * channels + channel] } : Array(untouched.prefix(count))
        #expect(Array(plane.prefix(count)) == expected, "\(count) pixels, channel \(channel)")
        #expect(plane.dropFirst(count).allSatisfy { $0 == 0xEE }, "\(count) pixels, channel \(channel)")
      }
    }
  }

  @Test(
    "Merging the planes of packed pixels gives the pixels again, and nothing beyond their end",
    arguments: [1, 3, 4])
  func merges(channels: Int) {
    for count in Self.counts {
      let planes = (0..<4).map { channel in
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 * channels + channel) * 37) }
      }
      var packed = [UInt8](repeating: 0xEE, count: count * channels + 64)

      codec_merge(planes[0], planes[1], planes[2], planes[3], count, channels, &packed)

      let expected = (0..<count * channels).map { UInt8(truncatingIfNeeded: $0 * 37) }
      #expect(Array(packed.prefix(count * channels)) == expected, "\(count) pixels")
      #expect(packed.dropFirst(count * channels).allSatisfy { $0 == 0xEE }, "\(count) pixels")
    }
  }
}
