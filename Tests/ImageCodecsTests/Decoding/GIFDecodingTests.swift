import ImageCodecs
import Testing

@Suite("GIF decoding")
struct GIFDecodingTests {
  private func shades(_ image: Image) -> [UInt8] {
    (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        image.pixel(x: x, y: y).map { $0.alpha == 0 ? 0 : $0.red } ?? 0
      }
    }
  }

  @Test("A GIF decodes with any initial code size from 8 to 11 bits", arguments: 8...11)
  func codeSizes(size: Int) throws {
    let literals = (0..<2_500).map { $0 * 13 % 251 + 1 }
    let fives = [Int](repeating: 5, count: 48)
    let frame = GIFFile.Frame(
      width: 50, height: 51, codeSize: size, codes: literals + [(1 << size) + 2] + fives)

    let image = try ImageDecoder.decode(GIFFile(width: 50, height: 51, frames: [frame]).bytes)

    let shown = literals + Array(literals[..<2]) + fives
    #expect(shades(image) == shown.map { UInt8($0) })
  }

  @Test("A GIF with a canvas smaller than its first frame uses the size of the frame")
  func smallCanvas() throws {
    let frame = GIFFile.Frame(width: 3, height: 2, codes: [1, 2, 3, 4, 5, 6])
    for side in [0, 1, 2] {
      let bytes = GIFFile(width: side, height: side, frames: [frame, GIFFile.Frame()]).bytes

      #expect(try shades(ImageDecoder.decode(bytes)) == [1, 2, 3, 4, 5, 6], "\(side)")
      let info = try ImageDecoder.info(of: bytes)
      #expect(info.size == PixelSize(width: 3, height: 2) && !info.hasAlpha)
      let reader = try AnimationReader(bytes)
      _ = try reader.next()
      #expect(try shades(#require(try reader.next()).image) == [10, 20, 3, 30, 40, 6], "\(side)")
    }
    let offset = GIFFile(
      width: 2, height: 2, frames: [GIFFile.Frame(left: 1, width: 2, height: 1, codes: [8, 9])])
    #expect(try shades(ImageDecoder.decode(offset.bytes)) == [0, 8, 9, 0, 0, 0])
    // A canvas that is too large is not made.
    let far = GIFFile(width: 2, height: 2, frames: [GIFFile.Frame(left: 65_535, codes: [1, 2, 3, 4])])
    #expect(try ImageDecoder.decode(far.bytes).size == PixelSize(width: 2, height: 2))
    #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(GIFFile(width: 0, height: 0, frames: []).bytes)
    }
  }

  @Test(
    "The GIF loop count is read from NETSCAPE2.0 and ANIMEXTS1.0 extensions only",
    arguments: ["NETSCAPE2.0", "ANIMEXTS1.0", "ANIMEXTS2.0"])
  func plays(application: String) throws {
    let file = {
      GIFFile(beforeFrames: GIFFile.loop(application, $0), frames: [GIFFile.Frame(), GIFFile.Frame()]).bytes
    }
    let isKnown = application != "ANIMEXTS2.0"

    #expect(try AnimationReader(file(0)).plays == (isKnown ? nil : 1))
    #expect(try AnimationReader(file(4)).plays == (isKnown ? 5 : 1))
  }

  @Test("A GIF color index outside the palette is transparent")
  func missingColors() throws {
    let frame = GIFFile.Frame(codeSize: 11, codes: [10, 256 + 20, 2_047, 40])

    #expect(try shades(ImageDecoder.decode(GIFFile(frames: [frame]).bytes)) == [10, 0, 0, 40])
  }

  @Test("A GIF with missing or invalid codes throws `corrupt`")
  func damaged() throws {
    for codes in [[10], [10, 20, 30], [10, 400, 20, 30], [300], [10, 260, 1, 1]] {
      let file = GIFFile(frames: [GIFFile.Frame(codes: codes)]).bytes

      let error = #expect(throws: ImageCodecError.self, "\(codes)") { try ImageDecoder.decode(file) }
      #expect(error?.kind == "corrupt")
      #expect(try !ImageDecoder.decodeAvailable(file).isComplete)
    }
  }
}
