import ImageCodecs
import Testing

@Suite("`JPEGWriter`")
struct JPEGWriterTests {
  @Test("`JPEGWriter` requests each row once, from the top, and writes in pieces")
  func rows() throws {
    let image = try Samples.noise(400, 300, .gray8)
    let bytes = image.bytes
    var asked: [Int] = []
    var pieces: [[UInt8]] = []

    try JPEGWriter(width: 400, height: 300, pixelFormat: .gray8, quality: 1).write { y, row in
      asked.append(y)
      #expect(row.count == 400)
      row.copyBytes(from: bytes[y * 400..<(y + 1) * 400])
    } output: { piece in
      pieces.append(Array(piece))
    }

    #expect(asked == Array(0..<300))
    #expect(pieces.count > 3)
    #expect(try ImageDecoder.decode(pieces.flatMap { $0 }).likeness(to: image) > 40)
    #expect(try pieces.flatMap { $0 } == ImageEncoder.encode(image, as: .jpeg(quality: 1)))
  }

  @Test("`JPEGWriter` rethrows the errors of its closures")
  func errors() {
    let writer = JPEGWriter(width: 8, height: 8, pixelFormat: .gray8)

    #expect(throws: Refusal()) {
      try writer.write { _, _ in
        throw Refusal()
      } output: { _ in
      }
    }
    #expect(throws: Refusal()) {
      try writer.write { _, _ in
      } output: { _ in
        throw Refusal()
      }
    }
  }

  @Test("`JPEGWriter` refuses invalid sizes and qualities")
  func settings() {
    for writer in [
      JPEGWriter(width: 0, height: 8, pixelFormat: .gray8),
      JPEGWriter(width: 8, height: -1, pixelFormat: .gray8),
      JPEGWriter(width: 65_501, height: 8, pixelFormat: .gray8),
      JPEGWriter(width: 8, height: 65_501, pixelFormat: .gray8),
      JPEGWriter(width: 8, height: 8, pixelFormat: .gray8, quality: .nan),
    ] {
      #expect(throws: ImageCodecError.self) {
        try writer.write { _, _ in
        } output: { _ in
        }
      }
    }
  }
}

private struct Refusal: Error, Equatable {}
