import ImageCodecs
import Testing

@Suite("Bounds of boxes")
struct BoxesBoundsTests {
  private func exif(_ form: BoxesForm) throws -> [UInt8]? { try ImageMetadata(of: form.bytes).exif?.bytes }

  @Test("A crop shows whole pixels of the image")
  func crops() throws {
    func size(_ numbers: [Int]) throws -> PixelSize {
      let clap = BoxesFile.box("clap", numbers.flatMap { (number: Int) -> [UInt8] in big(number, count: 4) })
      let form = BoxesForm(properties: [BoxesForm.size(60, 40), clap], associations: [1, 2])
      return try ImageDecoder.info(of: form.bytes).storedSize
    }
    for (numbers, width, height) in [
      ([60, 1, 40, 1, 0, 1, 0, 1], 60, 40), ([30, 1, 20, 1, 0, 1, 0, 1], 30, 20),
      ([61, 2, 41, 2, 0, 1, 0, 1], 31, 21), ([59, 2, 39, 2, 0, 1, 0, 1], 30, 20),
      ([1, 1, 1, 1, 0, 1, 0, 1], 1, 1), ([30, 1, 20, 1, 20, 1, 0, 1], 25, 20),
      ([30, 1, 20, 1, -20, 1, 15, 1], 25, 15),
      ([30, 1, 20, 1, 44, 1, 0, 1], 1, 20), ([30, 1, 20, 1, 45, 1, 0, 1], 60, 40),
      ([30, 1, 20, 1, -45, 1, 0, 1], 60, 40),
      ([30, 1, 20, 1, -44, 1, 0, 1], 1, 20), ([30, 1, 20, 1, 0, 1, 29, 1], 30, 1),
      ([30, 1, 20, 1, 0, 1, 30, 1], 60, 40),
      ([0, 1, 20, 1, 0, 1, 0, 1], 60, 40), ([30, 1, 0, 1, 0, 1, 0, 1], 60, 40),
      ([-30, 1, 20, 1, 0, 1, 0, 1], 60, 40),
      ([3_000, 1, 2_000, 1, 0, 1, 0, 1], 60, 40), ([30, 0, 20, 1, 0, 1, 0, 1], 60, 40),
      ([30, 1, 20, 0, 0, 1, 0, 1], 60, 40),
      ([30, 1, 20, 1, 0, 0, 0, 1], 60, 40), ([30, 1, 20, 1, 0, 1, 0, 0], 60, 40),
      ([30, 1, 20, 1, 0, 1, 0], 60, 40),
      // A denominator has no sign.
      ([30, 1, 20, 1, 0, -1, 0, 1], 30, 20), ([1, 1, 20, 1, 59, 2, 0, 1], 1, 20),
      ([1, 1, 20, 1, -59, 2, 0, 1], 1, 20),
    ] as [([Int], Int, Int)] {
      #expect(try size(numbers) == PixelSize(width: width, height: height), "\(numbers)")
    }
  }

  /// The entries of a form: boxes, items, places, properties, their associations, and lists of these.
  private static let formEntries = 16

  @Test(
    "A file lists properties of at most 20,000 images, or 20,000 properties of some, with all other entries")
  func associations() throws {
    let rest = 20_000 - Self.formEntries
    for (items, properties, isRead) in [
      (rest, 0, true), (rest + 1, 0, false), (rest / 256, 255, true), (rest / 256 + 1, 255, false),
      (2_000, 255, false),
    ] {
      let bytes = BoxesForm(others: (items, properties)).bytes
      #expect(((try? ImageDecoder.info(of: bytes)) != nil) == isRead, "\(items) \(properties)")
      #expect(((try? ImageDecoder.byteCost(of: bytes)) != nil) == isRead)
    }
  }

  /// References, as many as the first numbers say, to as many items as the second ones.
  private func references(_ lists: [(count: Int, claimed: Int)], version: Int = 0) -> [UInt8] {
    let length = version == 0 ? 2 : 4
    let boxes = lists.flatMap { count, claimed -> [UInt8] in
      let one = BoxesFile.box("cdsc", big(9, count: length) + big(claimed, count: 2))
      return (0..<count).flatMap { _ in one }
    }
    return BoxesFile.box("iref", BoxesForm.full(version) + boxes)
  }

  @Test("Counted items, properties and references are together at most 20,000")
  func entries() throws {
    let rest = 20_000 - Self.formEntries
    for (error, isRead) in [(0, true), (1, false)] {
      let more = rest + error
      for version in 0...2 {
        #expect(
          try (exif(BoxesForm(placesVersion: version, placesError: more)) != nil) == isRead, "\(version)")
      }
      for version in 0...1 {
        #expect(try (exif(BoxesForm(listVersion: version, listError: more)) != nil) == isRead, "\(version)")
        #expect(
          try (exif(BoxesForm(associationsVersion: version, associationsError: more)) != nil) == isRead,
          "\(version)")
        // The box of references is an entry, and so is each reference.
        let one = references([(1, more - 2)], version: version)
        #expect(try (exif(BoxesForm(behind: one)) != nil) == isRead, "\(version)")
        let many = references([(8_000, 1), (1, more - 16_002)], version: version)
        #expect(try (exif(BoxesForm(behind: many)) != nil) == isRead)
      }
      #expect(
        try (exif(BoxesForm(placesError: 5_000, listError: 5_000, associationsError: more - 10_000)) != nil)
          == isRead)
    }
    for (count, isRead) in [(9_999, true), (10_000, false)] {
      // Four boxes besides these.
      let boxes = (0..<count - 4).flatMap { _ in BoxesFile.box("free", []) }
      #expect(try (exif(BoxesForm(behind: boxes)) != nil) == isRead)
      #expect(try (exif(BoxesForm(behind: references([(count, 0)]))) != nil) == isRead)
    }
  }

  @Test("A box has a length of four bytes or of eight, or goes to the end of the file")
  func lengths() throws {
    let form = BoxesForm()
    let whole = form.bytes
    let start = try #require(whole.positions(of: Array("meta".utf8)).first) - 4
    let end = try #require(whole.positions(of: Array("mdat".utf8)).first) - 4
    func file(_ header: [UInt8], rest: [UInt8]? = nil) -> [UInt8] {
      Array(whole[..<start]) + header + Array(whole[(start + 8)..<end]) + (rest ?? Array(whole[end...]))
    }
    func isRead(_ bytes: [UInt8]) -> Bool {
      (try? ImageDecoder.info(of: bytes))?.storedSize == PixelSize(width: 6, height: 4)
    }
    let (length, type) = (end - start, Array("meta".utf8))
    #expect(isRead(file(big(length, count: 4) + type)))
    #expect(isRead(file(big(1, count: 4) + type + big(length + 8, count: 8))))
    #expect(isRead(file(big(0, count: 4) + type, rest: [])) && isRead(file(big(0, count: 4) + type)))
    #expect(isRead(file(big(length, count: 4) + type, rest: [])))
    for wrong in [
      big(1, count: 4) + type + big(length + 8 + 1 << 32, count: 8),
      big(1, count: 4) + type + big(15, count: 8), big(7, count: 4) + type,
      big(length + 1_000, count: 4) + type, big(2, count: 4) + type,
      big(length, count: 4) + Array("metb".utf8),
    ] {
      #expect(!isRead(file(wrong)), "\(wrong)")
    }
    // Empty boxes of eight and of sixteen bytes.
    for empty in [
      big(8, count: 4) + Array("free".utf8), big(1, count: 4) + Array("free".utf8) + big(16, count: 8),
    ] {
      #expect(isRead(Array(whole[..<start]) + empty + Array(whole[start...])))
    }
    for count in start + 1..<end {
      #expect(throws: ImageCodecError.truncated, "\(count)") {
        try ImageDecoder.info(of: whole.prefix(count))
      }
    }
    #expect(isRead(Array(whole.prefix(end))))
    #expect(throws: ImageCodecError.unsupportedFeature("boxes without an image")) {
      try ImageDecoder.info(of: whole.prefix(start))
    }
  }
}
