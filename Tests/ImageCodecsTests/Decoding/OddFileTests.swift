import Foundation
import ImageCodecs
import Testing

@Suite("Unusual files")
struct OddFileTests {
  @Test("A sequential JPEG with a progressive spectral selection decodes")
  func spectralSelection() throws {
    let bytes = try ImageEncoder.encode(Samples.picture(64, 48, .rgb8), as: .jpeg())
    let scan = try #require(bytes.positions(of: [0xFF, 0xDA]).first)
    var odd = bytes
    // Behind the length and three components: first and last coefficient, and their bits.
    #expect(Array(bytes[scan + 11..<scan + 14]) == [0, 63, 0])
    for selection: [UInt8] in [[0, 0, 0], [0, 63, 1], [1, 62, 0]] {
      odd.replaceSubrange(scan + 11..<scan + 14, with: selection)
      #expect(try ImageDecoder.decode(odd) == ImageDecoder.decode(bytes), "\(selection)")
    }
  }

  @Test("A JPEG with extra bytes before a marker decodes, but not one with an invalid code")
  func warnings() throws {
    let file = JPEGFile(width: 16, height: 8, levels: [100])
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.bytes) }
    var extraneous = JPEGFile(levels: [100])
    extraneous.afterScan = [1, 2, 3]
    #expect(try ImageDecoder.decode(extraneous.bytes).bytes.allSatisfy { $0 == 100 })
  }

  @Test("A cursor file decodes like an icon")
  func cursor() throws {
    var bytes = try Files.bytes("png.ico")
    let icon = try ImageDecoder.decode(bytes)

    bytes[2] = 2
    bytes.replaceSubrange(10..<14, with: [7, 0, 9, 0])

    #expect(ImageFormat(sniffing: bytes) == .ico && ImageFormat(fileExtension: "CUR") == .ico)
    #expect(try ImageDecoder.decode(bytes) == icon)
  }

  @Test("Images with sides of up to 65,535 pixels decode")
  func longSides() throws {
    for length in [32_768, 40_001, 65_535] {
      let strip = try Samples.picture(3, length, .gray8)
      let png = try ImageEncoder.encode(strip, as: .png)
      let bmp = UncompressedFile.bmp(length, 2)
      let tiff = UncompressedFile.tiff(2, length)

      #expect(try ImageDecoder.decode(png) == ImageDecoder.decode(png, options: .asStored))
      #expect(try ImageDecoder.decode(png).bytes == strip.bytes)
      #expect(try ImageDecoder.decode(bmp).size == PixelSize(width: length, height: 2))
      #expect(try ImageDecoder.decode(tiff).size == PixelSize(width: 2, height: length))
      let small = try ImageDecoder.decode(png, options: DecodingOptions(target: .fitting(300)))
      #expect(small.size == PixelSize(width: 1, height: 300))
    }
    let error = #expect(throws: ImageCodecError.self) {
      try ImageDecoder.decode(UncompressedFile.bmp(65_536, 1))
    }
    #expect(error == .tooLarge(width: 65_536, height: 1, limit: .side(65_535)))
  }

  @Test("An arithmetic-coded JPEG decodes or is reported as unsupported")
  func arithmetic() throws {
    // Eight by eight pixels of one level, with no codes at all: what is not there is zero.
    let file =
      [0xFF, 0xD8] + JPEGFile.segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + JPEGFile.segment(0xC9, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
      + JPEGFile.segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0, 0, 0xFF, 0xD9]
    do {
      #expect(try ImageDecoder.decode(file).bytes.allSatisfy { $0 == 128 })
    } catch let error {
      #expect(error.kind == "unsupportedFeature")
    }
    let lossless = file.map { $0 == 0xC9 ? 0xC3 : $0 }
    #expect(throws: ImageCodecError.unsupportedFeature("JPEG that is lossless or hierarchical")) {
      try ImageDecoder.decode(lossless)
    }
  }

  @Test("A PNG decodes when its declared compression window is too small")
  func window() throws {
    // Of 60 × 10 pixels, whose lower half repeats the upper one, 305 bytes earlier.
    let base64 =
      "eJxjaNrO965eKsBy34e6Qyb1bHkX+mOPB6q4P3ZwZmDKzgsJnbIgNSM25cgM7h1XQrzaFVfOYlyrOG/rnG8L4759ZIiSbebe"
      + "fo7z2u4DLM/FY1Jsat9s2NrwxnzPdKG7elnrdnqv69Wfv2hOlIbPvO9BEprnBSo3NLy87iUj8Gd1lhOD82WzsHv7fOSuT/N4"
      + "Efbi56KvPVM/nPO2PBj9f22M7u/uHQrbBOfs6v/RPm1dNOunhmU9bydv29Sz4eLmiGe7VjN4hKbu/DJB42r49VldfCmBD2MK"
      + "YkQ/FodIu1gsivmeLHTl3eZDKhmV+xk2n++7aLVfaJbB9LXTtjhdu7j3vUcAw+EvqS56mxkOmy/zWHbg9t3iP1O/HjoS2Drr"
      + "X8MVrsVzf0/y/MJj97h2mojrCbavPTWfhGp/dfpPmvbnsw2Hw0yG0QAjLcAAb1M7QA=="
    var stream = Array(try #require(Data(base64Encoded: base64)))
    func file() -> [UInt8] {
      var file = PNGFile(width: 60, height: 10, color: 0)
      file.append("IDAT", stream)
      file.end()
      return file.bytes
    }
    let image = try ImageDecoder.decode(file())

    // A window of 256 bytes.
    stream.replaceSubrange(0..<2, with: [0x08, 0x1D])

    #expect(try ImageDecoder.decode(file()) == image)
    #expect(image.bytes.prefix(300).elementsEqual(image.bytes.suffix(300)))
  }

  @Test("A top-down BMP with run-length encoding decodes from the top")
  func runsFromTheTop() throws {
    func file(height: Int) -> [UInt8] {
      UncompressedFile.bmp(
        2, height, colors: [0, 0, 0, 0, 30, 20, 10, 0], runs: [2, 1, 0, 0, 2, 0, 0, 1])
    }

    let (above, below) = try (ImageDecoder.decode(file(height: -2)), ImageDecoder.decode(file(height: 2)))

    #expect(above.pixel(x: 0, y: 0) == Image.Pixel(red: 10, green: 20, blue: 30))
    #expect(above.pixel(x: 1, y: 1) == Image.Pixel(red: 0, green: 0, blue: 0))
    #expect(below.pixel(x: 0, y: 0) == above.pixel(x: 0, y: 1))
  }
}
