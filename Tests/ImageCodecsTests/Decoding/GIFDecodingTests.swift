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

  @Test("A GIF decodes when codes continue after the code table is full")
  func fullTable() throws {
    let literals = (0..<6_000).map { $0 * 7 % 251 + 1 }
    let entries = [258, 300, 4_094, 4_095]
    // The entry of a number holds the two literals at which it was made.
    let expected = literals + entries.flatMap { [literals[$0 - 258], literals[$0 - 257]] } + [9, 9]
    let frame = GIFFile.Frame(width: 601, height: 10, codes: literals + entries + [9, 9])

    let image = try ImageDecoder.decode(GIFFile(width: 601, height: 10, frames: [frame]).bytes)

    #expect(shades(image) == expected.map { UInt8($0) })
  }

  @Test("A GIF decodes when clear codes come before or after the table is full")
  func startsAgain() throws {
    let literals = (0..<10_000).map { $0 * 11 % 251 + 1 }
    for every in [1, 100, 3_837, 3_838, 3_839, 3_840, 5_000] {
      var codes: [Int] = []
      for (index, literal) in literals.enumerated() {
        if index > 0, index.isMultiple(of: every) { codes.append(GIFFile.clear) }
        codes.append(literal)
      }
      let file = GIFFile(
        width: 100, height: 100, frames: [GIFFile.Frame(width: 100, height: 100, codes: codes)])

      #expect(try shades(ImageDecoder.decode(file.bytes)) == literals.map { UInt8($0) }, "\(every)")
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

  @Test("A GIF decodes when each code refers to the entry being defined")
  func repeating() throws {
    // Each code is the one that is being made: one more of the same, each time.
    let codes = [7] + Array(258..<271)
    let file = GIFFile(width: 15, height: 7, frames: [GIFFile.Frame(width: 15, height: 7, codes: codes)])

    #expect(try shades(ImageDecoder.decode(file.bytes)) == [UInt8](repeating: 7, count: 105))
  }

  @Test("A GIF frame that extends beyond the canvas is clipped")
  func sticksOut() throws {
    for isInterlaced in [false, true] {
      let codes = (1...12).map { $0 * 10 }
      let frame = GIFFile.Frame(
        left: 1, top: 1, width: 3, height: 4, isInterlaced: isInterlaced, codes: codes)
      let first = GIFFile.Frame(codes: [0, 0, 0, 0])
      let reader = try AnimationReader(GIFFile(width: 3, height: 3, frames: [first, frame]).bytes)
      _ = try reader.next()
      let image = try #require(try reader.next()).image

      // Rows of an interlaced frame of four come as the first, third, second and fourth.
      let second: [UInt8] = isInterlaced ? [70, 80] : [40, 50]
      #expect(shades(image) == [0, 0, 0, 0, 10, 20, 0] + second)
    }
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

  @Test("A GIF frame outside the canvas changes nothing, and the animation continues")
  func outside() throws {
    var file = GIFFile(frames: [
      GIFFile.Frame(), GIFFile.Frame(left: 5, top: 5, disposal: 2),
      GIFFile.Frame(left: 1, top: 1, width: 9, height: 9, disposal: 3, codes: (1...81).map { $0 }),
      GIFFile.Frame(width: 1, height: 1, codes: [99]),
    ])
    file.beforeFrames = GIFFile.loop("ANIMEXTS1.0", 2)
    let reader = try AnimationReader(file.bytes)
    var shown: [[UInt8]] = []
    while let frame = try reader.next() { shown.append(shades(frame.image)) }

    #expect(shown == [[10, 20, 30, 40], [10, 20, 30, 40], [10, 20, 30, 1], [99, 20, 30, 40]])
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
