import Foundation
import StreamImages
import Testing

@Suite("an encoder")
struct EncoderTests {
  private func format(_ data: Data) -> ImageFormat? {
    ImageFormat(sniffing: data.prefix(ImageFormat.sniffingLength))
  }

  @Test("takes JPEG for opaque pictures and PNG for others, unless it is told")
  func formats() throws {
    let opaque = try Pictures.gradient(20, 20)
    let transparent = try Pictures.gradient(20, 20, alpha: 100)

    #expect(try format(ImageEncoders.Default().encode(opaque)) == .jpeg)
    #expect(try format(ImageEncoders.Default().encode(transparent)) == .png)
    #expect(try format(ImageEncoders.Fixed(encoding: .webp()).encode(opaque)) == .webp)
    #expect(try format(ImageEncoders.Fixed(encoding: .avif()).encode(transparent)) == .avif)
  }

  @Test("keeps below its limit, or fails")
  func limit() throws {
    let image = try Pictures.gradient(60, 60)
    let whole = try ImageEncoders.Fixed(encoding: .jpeg(quality: 0.95)).encode(image).count

    let limited = try ImageEncoders.Fixed(encoding: .jpeg(quality: 0.95), maximumByteCount: whole - 100)
      .encode(image)

    #expect(limited.count <= whole - 100)
    #expect(throws: ImageCodecError.self) {
      try ImageEncoders.Fixed(encoding: .jpeg(), maximumByteCount: 10).encode(image)
    }
  }
}
