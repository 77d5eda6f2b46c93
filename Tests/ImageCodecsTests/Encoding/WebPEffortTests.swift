import ImageCodecs
import Testing

@Suite("WebP effort")
struct WebPEffortTests {
  @Test("A higher effort makes a smaller WebP file")
  func effort() throws {
    var bytes: [UInt8] = []
    for y in 0..<96 {
      for x in 0..<96 { bytes += [UInt8(x * 2 ^ y), UInt8(y * 2), UInt8(x * y & 255)] }
    }
    let image = try Image(bytes: bytes, width: 96, height: 96, pixelFormat: .rgb8)
    let sizes = try [0, 4, 6].map { effort in
      try ImageEncoder.encode(image, as: .webp(quality: 0.8, effort: effort)).count
    }

    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
    #expect(try ImageEncoder.encode(image, as: .webp()).count == sizes[1])
  }

  @Test("An effort outside 0 to 6 makes encoding fail", arguments: [-1, 7, .max, .min])
  func invalid(_ effort: Int) throws {
    let image = try Image(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)

    #expect(throws: ImageCodecError.encodingFailed("an effort of \(effort)")) {
      try ImageEncoder.encode(image, as: .webp(quality: 0.8, effort: effort))
    }
  }
}
