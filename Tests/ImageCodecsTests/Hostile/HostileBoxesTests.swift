import ImageCodecs
import Testing

@Suite("An AVIF or HEIC that lies")
struct HostileBoxesTests {
  private func changed(_ file: String, _ type: String, _ change: (inout [UInt8], Int) -> Void) throws
    -> [UInt8]
  {
    var bytes = try Files.bytes(file)
    let position = try #require(bytes.positions(of: Array(type.utf8)).first)
    change(&bytes, position + 4)
    return bytes
  }

  @Test("about its size takes no memory", arguments: ["picture.avif", "picture.heic"])
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
    #expect(throws: ImageCodecError.corrupt("a picture without a size")) { try ImageDecoder.decode(empty) }
  }

  @Test("a little about its size is damaged, or a picture of the size it claims")
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

  @Test("about its main picture is damaged", arguments: ["picture.avif", "picture.heic"])
  func mainPicture(file: String) throws {
    let missing = try changed(file, "pitm") { $0.replaceSubrange($1 - 4..<$1, with: Array("free".utf8)) }
    let unknown = try changed(file, "pitm") { $0.replaceSubrange($1 + 4..<$1 + 6, with: [0x7F, 0xFF]) }

    #expect(throws: ImageCodecError.corrupt("no main picture")) { try ImageDecoder.decode(missing) }
    #expect(throws: ImageCodecError.corrupt("a picture without a size")) { try ImageDecoder.decode(unknown) }
  }

  @Test(
    "about the lengths of its boxes is truncated or damaged", arguments: ["picture.avif", "picture.heic"])
  func lengths(file: String) throws {
    for type in ["meta", "iprp", "ipco", "ipma", "mdat", "iloc"] {
      for length: [UInt8] in [[0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1], [0, 0, 0, 7], [0, 0, 0, 9]] {
        let bytes = try changed(file, type) { $0.replaceSubrange($1 - 8..<$1 - 4, with: length) }

        #expect(throws: ImageCodecError.self, "\(type) \(length)") { try ImageDecoder.decode(bytes) }
      }
    }
  }

  @Test("with more associations than it has bytes is damaged")
  func associations() throws {
    let bytes = try changed("picture.avif", "ipma") {
      $0.replaceSubrange($1 + 4..<$1 + 10, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x70, 0x70])
    }

    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(bytes) }
  }

  @Test("about what its picture is made of, such that it is made of itself, is damaged")
  func loop() throws {
    // An `iref` box with one reference: the main picture, put together from itself.
    let file = try Files.bytes("picture.heic")
    let main = try #require(file.positions(of: Array("pitm".utf8)).first) + 8
    let itself = Array(file[main..<main + 2])
    let reference = big(14, count: 4) + Array("dimg".utf8) + itself + big(1, count: 2) + itself
    let references = big(12 + reference.count, count: 4) + Array("iref".utf8) + big(0, count: 4) + reference
    let meta = try #require(file.positions(of: Array("meta".utf8)).first) - 4
    let end = meta + file[meta..<meta + 4].reduce(0) { $0 << 8 | Int($1) }
    var looped = Array(file[..<end]) + references + file[end...]
    looped.replaceSubrange(meta..<meta + 4, with: big(end - meta + references.count, count: 4))

    #expect(throws: ImageCodecError.corrupt("a picture made of itself, or of parts of parts without end")) {
      try ImageDecoder.decode(looped)
    }
  }

  @Test("about the size in its stream, wherever that says it, is damaged, before anything is decoded")
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

    for bytes in [inConfiguration, inData] {
      #expect(throws: ImageCodecError.corrupt("two sizes")) { try ImageDecoder.decode(bytes) }
    }
  }
}
