import ImageCodecs
import Testing

@Suite("Hostile AVIF and HEIC")
struct HostileBoxesTests {
  private func changed(_ file: String, _ type: String, _ change: (inout [UInt8], Int) -> Void) throws
    -> [UInt8]
  {
    var bytes = try Files.bytes(file)
    let position = try #require(bytes.positions(of: Array(type.utf8)).first)
    change(&bytes, position + 4)
    return bytes
  }

  @Test(
    "An AVIF or HEIC that claims a huge or empty size is refused",
    arguments: ["picture.avif", "picture.heic"])
  func size(file: String) throws {
    let huge = try changed(file, "ispe") {
      $0.replaceSubrange($1 + 4..<$1 + 12, with: [0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF])
    }
    let endless = try changed(file, "ispe") {
      $0.replaceSubrange($1 + 4..<$1 + 12, with: [UInt8](repeating: 255, count: 8))
    }
    let empty = try changed(file, "ispe") { $0.replaceSubrange($1 + 4..<$1 + 8, with: [0, 0, 0, 0]) }

    for bytes in [huge, endless] {
      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes) }
      #expect(error?.kind == "tooLarge")
    }
    #expect(throws: ImageCodecError.corrupt("an image without a size")) { try ImageDecoder.decode(empty) }
  }

  @Test("A slightly wrong size stretches an AVIF and makes a HEIC corrupt")
  func otherSize() throws {
    let change = { (bytes: inout [UInt8], start: Int) in
      bytes.replaceSubrange(start + 4..<start + 8, with: [0, 0, 0, 97])
    }

    // libavif stretches the picture.
    #expect(try ImageDecoder.decode(changed("picture.avif", "ispe", change)).width == 97)
    let error = #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(changed("picture.heic", "ispe", change))
    }
    #expect(error?.kind == "corrupt")
  }

  @Test("An AVIF without its bit depth property decodes")
  func depth() throws {
    let bytes = try changed("picture.avif", "pixi") {
      $0.replaceSubrange($1 - 4..<$1, with: Array("free".utf8))
    }

    #expect(try ImageDecoder.decode(bytes) == Files.image("picture.avif"))
  }

  @Test(
    "An AVIF or HEIC with a missing or unknown primary image is corrupt",
    arguments: ["picture.avif", "picture.heic"])
  func mainPicture(file: String) throws {
    let missing = try changed(file, "pitm") { $0.replaceSubrange($1 - 4..<$1, with: Array("free".utf8)) }
    let unknown = try changed(file, "pitm") { $0.replaceSubrange($1 + 4..<$1 + 6, with: [0x7F, 0xFF]) }

    #expect(throws: ImageCodecError.corrupt("no main image")) { try ImageDecoder.decode(missing) }
    #expect(throws: ImageCodecError.corrupt("an image without a size")) { try ImageDecoder.decode(unknown) }
  }

  @Test(
    "A wrong AVIF or HEIC box length throws an error, unless all data is present",
    arguments: ["picture.avif", "picture.heic"])
  func lengths(file: String) throws {
    for type in ["meta", "iprp", "ipco", "ipma", "mdat", "iloc"] {
      for length: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1], [0, 0, 0, 7], [0, 0, 0, 9]] {
        let bytes = try changed(file, type) { $0.replaceSubrange($1 - 8..<$1 - 4, with: length) }
        // Everything is there, whatever more is announced.
        if type == "mdat", length[0] == 0xFF {
          #expect(try ImageDecoder.decode(bytes) == Files.image(file))
          continue
        }

        #expect(throws: ImageCodecError.self, "\(type) \(length)") { try ImageDecoder.decode(bytes) }
      }
    }
  }

  @Test("An AVIF that claims more property associations than bytes throws an error")
  func associations() throws {
    let bytes = try changed("picture.avif", "ipma") {
      $0.replaceSubrange($1 + 4..<$1 + 10, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x70, 0x70])
    }

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes) }
  }

  @Test("An AVIF property association with index zero is ignored")
  func noProperty() throws {
    let file = "orientation-6.avif"
    #expect(try ImageDecoder.info(of: Files.bytes(file)).orientation == .right)

    // The last of its five properties turns it.
    let bytes = try changed(file, "ipma") { bytes, start in
      #expect(bytes[start + 10] == 5 && bytes[start + 15] & 0x7F == 5)
      bytes[start + 15] = 0
    }

    #expect(try ImageDecoder.info(of: bytes).orientation == .up)
  }

  @Test("A HEIC image that is derived from itself is corrupt")
  func loop() throws {
    let file = try Files.bytes("picture.heic")
    let main = try #require(file.positions(of: Array("pitm".utf8)).first) + 8
    let itself = file[main..<main + 2].reduce(0) { $0 << 8 | Int($1) }
    let looped = try adding([(itself, [itself])], to: file)

    #expect(throws: ImageCodecError.corrupt("an image that contains itself, or is nested too deeply")) {
      try ImageDecoder.decode(looped)
    }
  }

  @Test(
    "Shared derived images of an AVIF or HEIC are traversed only once", arguments: ["avif", "heic"])
  func sharedParts(format: String) throws {
    // 1,000 pictures of one that has 3,000 parts: three million steps for those that forget where they have been.
    let parts = Array(3_000..<6_000)
    let pictures = (1_000..<2_000).map { (whole: $0, parts: [2_999]) }
    let file = try adding([(2_999, parts)] + pictures, to: Files.bytes("picture.\(format)"))
    var asked = 0

    _ = try? ImageDecoder.decode(file) {
      asked += 1
      return false
    }

    #expect((4_001...5_000).contains(asked), "\(asked)")
    for last in [10, 2_000, 4_000] {
      asked = 0
      #expect(throws: ImageCodecError.cancelled) {
        try ImageDecoder.decode(file) {
          asked += 1
          return asked >= last
        }
      }
      #expect(asked == last)
    }
  }

  @Test(
    "An AVIF or HEIC that lists too many images is corrupt",
    arguments: ["avif", "heic"])
  func manyPictures(format: String) throws {
    let file = try Files.bytes("picture.\(format)")
    let several = try adding(Array(repeating: (whole: 9, parts: [8]), count: 20_000), to: file)
    let large = try adding([(whole: 9, parts: Array(repeating: 8, count: 60_000))], to: file)
    let locations = try changed("picture.\(format)", "iloc") { bytes, start in
      bytes.replaceSubrange(start..<start + 1, with: [2])
      bytes.replaceSubrange(start + 6..<start + 10, with: big(60_000, count: 4))
    }
    let associations = try changed("picture.\(format)", "ipma") { bytes, start in
      bytes.replaceSubrange(start + 4..<start + 8, with: big(60_000, count: 4))
    }

    for bytes in [several, large, locations, associations] {
      #expect(throws: ImageCodecError.corrupt("too many images")) {
        try ImageDecoder.decode(bytes)
      }
    }
  }

  @Test(
    "Items of an AVIF or HEIC have at most 20,000 extents, even of no bytes", arguments: ["avif", "heic"])
  func manyExtents(format: String) throws {
    let tooMany = ImageCodecError.corrupt("too many images")
    for count in [20_000, 20_001] {
      // Offsets, lengths and bases take no bytes.
      let bytes = try changed("picture.\(format)", "iloc") { bytes, start in
        bytes.replaceSubrange(start + 4..<start + 6, with: [0, 0])
        bytes.replaceSubrange(start + 12..<start + 14, with: big(count, count: 2))
      }
      let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes) }
      #expect((error == tooMany) == (count > 20_000))
    }
  }

  @Test("A HEIC of endless empty units can be cancelled")
  func emptyUnits() throws {
    let zeros = 4_096 * 4 * 20
    let file = try changed("picture.heic", "iloc") { bytes, start in
      let length = bytes[start + 22..<start + 26].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(start + 22..<start + 26, with: big(length + zeros, count: 4))
    }
    let bytes = file + [UInt8](repeating: 0, count: zeros)
    var asked = 0

    #expect(throws: ImageCodecError.cancelled) {
      try ImageDecoder.decode(bytes) {
        asked += 1
        return asked > 15
      }
    }
  }

  @Test("A HEIC image with too many or too deeply nested parts is corrupt")
  func manyParts() throws {
    let file = try Files.bytes("picture.heic")
    let chain = (100..<105).map { (whole: $0, parts: [$0 + 1]) }
    let wide = [
      (whole: 100, parts: Array(repeating: 101, count: 65)),
      (whole: 101, parts: Array(repeating: 102, count: 64)),
    ]

    #expect(throws: ImageCodecError.corrupt("an image of too many parts")) {
      try ImageDecoder.decode(adding(wide, to: file))
    }
    for references in [chain, chain.reversed()] {
      #expect(throws: ImageCodecError.corrupt("an image that contains itself, or is nested too deeply")) {
        try ImageDecoder.decode(adding(references, to: file))
      }
    }
    // The data have moved away from where the header says they are, so this is damaged as well, but in another way.
    let error = #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(adding(chain.dropLast(), to: file))
    }
    #expect(error?.description.contains("contains itself") == false)
  }

  @Test("Bytes after the counted parts of a HEIC image are ignored")
  func countedParts() throws {
    let nested = ImageCodecError.corrupt("an image that contains itself, or is nested too deeply")
    var file = try adding([(100, [101, 100])], to: Files.bytes("picture.heic"))
    let list = [100, 2, 101, 100].flatMap { big($0, count: 2) }
    let count = try #require(file.positions(of: list).first) + 2
    #expect(throws: nested) { try ImageDecoder.decode(file) }

    file.replaceSubrange(count..<count + 2, with: big(1, count: 2))

    // The data have moved away, so this is damaged in another way.
    let error = #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file) }
    #expect(error != nested)
  }

  /// The file with an `iref` box: of which pictures its pictures are made.
  private func adding(_ references: [(whole: Int, parts: [Int])], to file: [UInt8]) throws -> [UInt8] {
    var boxes: [UInt8] = []
    for (whole, parts) in references {
      boxes += big(12 + parts.count * 2, count: 4) + Array("dimg".utf8)
      boxes += ([whole, parts.count] + parts).flatMap { big($0, count: 2) }
    }
    let box = big(12 + boxes.count, count: 4) + Array("iref".utf8) + big(0, count: 4) + boxes
    let meta = try #require(file.positions(of: Array("meta".utf8)).first) - 4
    let end = meta + file[meta..<meta + 4].reduce(0) { $0 << 8 | Int($1) }
    var result = Array(file[..<end]) + box + Array(file[end...])
    result.replaceSubrange(meta..<meta + 4, with: big(end - meta + box.count, count: 4))
    return result
  }

  @Test("A HEIC whose stream has another size than its header is corrupt")
  func streamSize() throws {
    let file = try Files.bytes("picture.heic")
    let unit = try #require(file.positions(of: [0x42, 0x01, 0x01]).first)
    // Behind profile and level: the numbers of the sequence and of the kind of colors, then 65,534 by 65,534.
    let plain = Array(file[unit..<unit + 18]) + [0xA0, 0x00, 0x1F, 0xFF, 0xE0, 0x00, 0x3F, 0xFF, 0xC0]
    var inConfiguration = file
    inConfiguration.replaceSubrange(unit..<unit + plain.count, with: plain)
    let data = try #require(file.positions(of: Array("mdat".utf8)).first) + 4
    var inData = file
    inData.replaceSubrange(data..<data + 4 + plain.count, with: big(plain.count, count: 4) + plain)

    // More than the file has: what is there is looked at.
    var beyondTheEnd = inData
    let locations = try #require(file.positions(of: Array("iloc".utf8)).first) + 4
    beyondTheEnd.replaceSubrange(locations + 22..<locations + 26, with: big(file.count, count: 4))

    for bytes in [inConfiguration, inData, beyondTheEnd] {
      #expect(throws: ImageCodecError.corrupt("two sizes")) { try ImageDecoder.decode(bytes) }
    }
  }
}
