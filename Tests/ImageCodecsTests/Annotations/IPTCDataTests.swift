import ImageCodecs
import Testing

@Suite("IPTC records")
struct IPTCDataTests {
  private func sets(_ bytes: [UInt8]) -> [[UInt8]]? {
    IPTCData(bytes: bytes)?.dataSets.map { [$0.record, $0.number] + $0.bytes }
  }

  @Test("Data sets are read up to the first that is damaged")
  func damage() {
    let first: [UInt8] = [0x1C, 2, 5, 0, 1, 65]
    #expect(sets(first) == [[2, 5, 65]])
    #expect(sets(first + first) == [[2, 5, 65], [2, 5, 65]])
    #expect(sets(first + [0x1C, 3, 0, 0, 0]) == [[2, 5, 65], [3, 0]])
    #expect(sets([0x1C, 2, 5, 1, 0] + [UInt8](repeating: 7, count: 256))?.first?.count == 258)
    for rest: [UInt8] in [
      [0x1C], [0x1C, 2, 5, 0], [0x1D, 2, 5, 0, 0], [0x1C, 2, 5, 0, 1], [0x1C, 2, 5, 1, 0, 65],
      // A length of five bytes, and one that is not there.
      [0x1C, 2, 5, 0x80, 5, 0, 0, 0, 0, 1, 65], [0x1C, 2, 5, 0x80, 2, 0], [0x1C, 2, 5, 0x80, 1, 2, 65],
    ] {
      #expect(sets(rest) == nil, "\(rest)")
      #expect(sets(first + rest) == [[2, 5, 65]], "\(rest)")
    }
  }

  @Test("A length has up to four bytes of its own")
  func longLengths() {
    for count in 1...4 {
      let length: [UInt8] = [0x80, UInt8(count)] + big(3, count: count)
      #expect(sets([0x1C, 2, 5] + length + [7, 8, 9]) == [[2, 5, 7, 8, 9]])
      #expect(sets([0x1C, 2, 5] + length + [7, 8, 9] + [0x1C, 2, 6, 0, 0]) == [[2, 5, 7, 8, 9], [2, 6]])
      #expect(sets([0x1C, 2, 5, 0x80, UInt8(count)] + big(0, count: count)) == [[2, 5]])
    }
    #expect(sets([0x1C, 2, 5, 0x80, 0]) == [[2, 5]])
    #expect(
      sets([0x1C, 2, 5, 0x80, 2] + big(258, count: 2) + [UInt8](repeating: 7, count: 258))?.first?.count
        == 260)
  }

  @Test("The first 2,000 data sets are read")
  func many() {
    for count in [1, 2_000, 2_001] {
      let bytes = (0..<count).flatMap { _ in iptcSet(5, "A") }
      #expect(IPTCData(bytes: bytes)?.dataSets.count == min(count, 2_000))
    }
  }

  @Test("Texts are those of the second record, without spaces at their ends")
  func texts() throws {
    let iptc = try #require(
      IPTCData(
        bytes: iptcSet(5, " A ") + iptcSet(5, "B", record: 1) + iptcSet(6, "C") + iptcSet(5, " ")
          + iptcSet(5, "D")))

    #expect(iptc[5] == ["A", "D"])
    #expect(iptc[6] == ["C"])
    #expect(iptc[7] == [])
  }

  /// A JPEG with Photoshop's resources in these parts.
  private func jpeg(_ parts: [UInt8]...) -> [UInt8] {
    JPEGFile().bytes.addingToJPEG(
      parts.flatMap { JPEGFile.segment(0xED, Array("Photoshop 3.0\0".utf8) + $0) })
  }

  private func resource(_ kind: Int, name: String = "", _ content: [UInt8]) -> [UInt8] {
    func even(_ bytes: [UInt8]) -> [UInt8] { bytes.count.isMultiple(of: 2) ? bytes : bytes + [0] }
    let head = Array("8BIM".utf8) + big(kind, count: 2)
    return head + even([UInt8(name.utf8.count)] + name.utf8) + big(content.count, count: 4) + even(content)
  }

  private func title(_ file: [UInt8]) throws -> String? { try ImageMetadata(of: file).title }

  @Test("IPTC is found among resources of any length, with names of any length")
  func resources() throws {
    let iptc = resource(0x0404, iptcSet(5, "A"))
    for count in 0...3 {
      let other = resource(
        0x0405, name: String(repeating: "n", count: count), [UInt8](repeating: 1, count: 3 - count))
      #expect(try title(jpeg(other + other + iptc + other)) == "A", "\(count)")
      #expect(
        try title(jpeg(resource(0x0404, name: String(repeating: "n", count: count), iptcSet(5, "A")))) == "A")
      // Resources continue in the next segment, wherever they are cut.
      for cut in 0...other.count + iptc.count {
        let all = other + iptc
        #expect(try title(jpeg(Array(all[..<cut]), Array(all[cut...]))) == "A", "\(cut)")
      }
      for missing in 1...iptc.count {
        #expect(try title(jpeg(other + Array(iptc.dropLast(missing)))) == nil, "\(missing)")
      }
    }
    #expect(try title(jpeg(resource(0x0403, iptcSet(5, "A")))) == nil)
    #expect(try title(jpeg(resource(0x0404, iptcSet(5, "A")), resource(0x0404, iptcSet(5, "B")))) == "A")
  }

  @Test("Written records have the character set, the kept data sets of the second record, and any length")
  func written() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    func written(_ sets: [UInt8], _ kept: KeptMetadata) throws -> [UInt8]? {
      var metadata = ImageMetadata()
      metadata.iptc = IPTCData(bytes: sets)
      let file = try ImageEncoder.encode(image, as: .jpeg(), keeping: kept, of: metadata)
      return try ImageMetadata(of: file).iptc?.bytes
    }
    let utf8 = iptcSet(90, "\u{1B}%G", record: 1)
    let all = (UInt8(0)...255).flatMap { iptcSet($0, "A") }
    let copyrights = [80, 85, 110, 115, 116, 118].flatMap { (number: UInt8) -> [UInt8] in iptcSet(number, "A")
    }
    let sizes: [UInt8] = [130, 131, 200, 201, 202]
    let descriptions = (UInt8(0)...255).filter { !sizes.contains($0) }.flatMap { iptcSet($0, "A") }

    #expect(try written(utf8 + utf8 + all, .copyright) == utf8 + copyrights)
    #expect(try written(all, .copyright) == copyrights)
    #expect(try written(utf8 + all + iptcSet(5, "B", record: 3), .descriptions) == utf8 + descriptions)
    #expect(try written(all, .location) == nil)
    #expect(try written(utf8, .all) == nil)
    #expect(
      try written(iptcSet(90, "\u{1B}%A", record: 1) + iptcSet(91, "\u{1B}%G", record: 1) + copyrights, .all)
        == copyrights)
    #expect(try written(iptcSet(5, "A"), .copyright) == nil)
    for count in [0x7FFF, 0x8000, 0x8001] {
      let text = Array(String(repeating: "A", count: count).utf8)
      let length: [UInt8] = count < 0x8000 ? big(count, count: 2) : [0x80, 4] + big(count, count: 4)
      let set: [UInt8] = [0x1C, 2, 5, 0x80, 3] + big(count, count: 3) + text
      #expect(try written(set, .all) == [0x1C, 2, 5] + length + text, "\(count)")
    }
  }

  @Test("A written segment has the name of Photoshop and one resource of even length")
  func segment() throws {
    let image = try Samples.flat(2, 2, [1, 2, 3])
    for text in ["A", "AB"] {
      var metadata = ImageMetadata()
      metadata.iptc = IPTCData(bytes: iptcSet(5, text))
      let file = try ImageEncoder.encode(image, as: .jpeg(), keeping: .descriptions, of: metadata)
      let segment = JPEGFile.segment(0xED, Array("Photoshop 3.0\0".utf8) + resource(0x0404, iptcSet(5, text)))

      #expect(file.positions(of: segment).count == 1, "\(text)")
    }
  }
}
