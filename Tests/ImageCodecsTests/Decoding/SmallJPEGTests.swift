import ImageCodecs
import Testing

@Suite("Small JPEG")
struct SmallJPEGTests {
  /// Of the pixels of all sizes up to 20 × 20, as `djpeg` of libjpeg-turbo 2.1.5 writes them, one below the other.
  private static let checksums: [String: UInt32] = [
    "gray": 3_635_780_789, "4:4:4": 329_099_096, "4:2:2": 573_924_215, "4:4:0": 3_605_206_911,
    "4:2:0": 3_347_763_938, "4:1:1": 3_563_277_266, "4:1:0": 702_498_472,
  ]

  @Test("A JPEG of up to 20 × 20 pixels decodes like in djpeg", arguments: SampledJPEG.samplings)
  func sizes(sampling: SampledJPEG.Sampling) throws {
    var pixels: [UInt8] = []
    for height in 1...20 {
      for width in 1...20 {
        let file = SampledJPEG.bytes(PixelSize(width: width, height: height), sampling)
        let image = try ImageDecoder.decode(file)
        // Where light is averaged, nothing is ever reduced while it is decoded.
        let target = ResizeTarget(width: Double(width), height: Double(height), light: .linear)
        let unscaled = try ImageDecoder.decode(file, options: DecodingOptions(target: target))

        #expect(image == unscaled, "\(width) × \(height)")
        pixels += image.bytes
      }
    }

    #expect(Checksum.crc(pixels) == SmallJPEGTests.checksums[sampling.name])
  }

  @Test(
    "A small JPEG decodes at every target size like the resized original", arguments: SampledJPEG.samplings)
  func resized(sampling: SampledJPEG.Sampling) throws {
    for side in 1...12 {
      let file = SampledJPEG.bytes(PixelSize(width: side, height: 12), sampling)
      let whole = try ImageDecoder.decode(file)
      for wanted in 1...12 {
        let target = ResizeTarget(width: Double(wanted), height: Double(wanted), mode: .fit)
        let image = try ImageDecoder.decode(file, options: DecodingOptions(target: target))
        let expected = try whole.resized(to: target)

        #expect(image.size == expected.size)
        #expect(image.likeness(to: expected) >= 20, "\(side) × 12 to \(wanted)")
      }
    }
  }
}
