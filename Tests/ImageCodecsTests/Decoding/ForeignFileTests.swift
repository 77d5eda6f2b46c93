import ImageCodecs
import Testing

/// Files that other programs write, and other programs show.
@Suite("Files of other programs")
struct ForeignFileTests {
  @Test("A GIF animation plays with stray bytes between its blocks, and before its end")
  func strayBytes() throws {
    let plain = GIFFile(frames: (1...3).map { GIFFile.Frame(delay: 5, codes: [$0 * 10, 20, 30, 40]) }).bytes
    func images(_ file: [UInt8]) throws -> [Image] {
      let reader = try AnimationReader(file)
      var images: [Image] = []
      while let frame = try reader.next() { images.append(frame.image) }
      return images
    }
    let expected = try images(plain)
    #expect(expected.count == 3)
    // Each frame begins with its extension.
    let starts = plain.positions(of: [0x21, 0xF9, 4])
    for stray in [[0], [0, 0, 0, 0], [0xFF, 0x7F, 0x20]] as [[UInt8]] {
      for place in [starts[1], starts[2], plain.count - 1] {
        var file = plain
        file.insert(contentsOf: stray, at: place)
        #expect(try images(file) == expected, "\(stray) \(place)")
        #expect(try ImageDecoder.decode(file) == ImageDecoder.decode(plain))
      }
      // Behind them, an end mark is missing.
      let endless = Array(plain.dropLast()) + stray
      #expect(throws: ImageCodecError.truncated) { try AnimationReader(endless) }
    }
    let early = Array(plain[..<starts[0]]) + [0] + plain[starts[0]...]
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(early) }
  }

  private func feature(_ file: [UInt8]) -> String {
    do throws(ImageCodecError) {
      _ = try ImageDecoder.decode(file)
      return "an image"
    } catch {
      guard case .unsupportedFeature(let feature) = error else { return "\(error)" }
      return feature
    }
  }

  @Test("An unsupported feature is named, and its file is not called damaged")
  func named() throws {
    var png = PNGFile(width: 1, height: 1)
    png.append(rows: [[1, 2, 3]])
    let device =
      PNGFile.signature + big(4, count: 4) + Array("CgBI".utf8) + [0x50, 0, 0x20, 6, 0x2B, 0xD5, 0xB3, 0x7F]
    #expect(feature(device + png.bytes.dropFirst(8)) == "a PNG of Apple's devices (CgBI)")
    let lossless: [UInt8] = [0xFF, 0xD8] + JPEGFile.segment(0xF7, [8, 0, 4, 0, 4, 1, 1, 0x11, 0])
    #expect(feature(lossless + [0xFF, 0xDA]) == "JPEG-LS, which libjpeg does not read")
  }

  @Test("A JPEG XL that libjxl refuses for something new is unsupported, with its version")
  func newJPEGXL() throws {
    func features(_ frame: JPEGXLFrame) -> [String] {
      let header = JPEGXLHeader(frame: frame).bytes
      return [0, 0x11, 0x55, 0xFF].map { feature(header + [UInt8](repeating: $0, count: 20_000)) }
    }
    for encoding in 0...1 {
      let texts = features(JPEGXLFrame(encoding: encoding, flags: [(1, 2), (15, 4)]))
      let isNamed = texts.contains {
        $0.hasPrefix("splines (libjxl ") && $0.hasSuffix("; a newer one may read the file)")
      }
      #expect(isNamed && !texts.contains { $0.contains("damaged") }, "\(texts)")
    }
    #expect(features(JPEGXLFrame(flags: [(1, 2), (0, 4)])).contains { $0.contains("damaged") })

    // Boxes whose length has eight bytes: they decode, or the library is too old.
    let stream = try ImageEncoder.encode(Samples.picture(16, 16, .rgb8), as: .jpegXL())
    let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]
    let type = BoxesFile.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
    let long = big(1, count: 4) + Array("jxlc".utf8) + big(stream.count + 16, count: 8) + stream
    let text = feature(signature + type + long)
    #expect(text == "an image" || text.hasPrefix("boxes with a length of eight bytes (libjxl "), "\(text)")
  }

  @Test("An AVIF whose colors libavif cannot convert is unsupported, with its version")
  func newColors() throws {
    var file = try BoxesFile(Files.bytes("picture.avif"), brand: "avif")
    // A matrix of a later edition of the standard.
    file.items[0].properties = file.items[0].properties.filter {
      !Array("colr".utf8).elementsEqual($0[4..<8])
    }
    file.items[0].properties.append(BoxesFile.box("colr", Array("nclx".utf8) + [0, 1, 0, 13, 0, 15, 0x80]))

    let text = feature(file.bytes)

    #expect(text.contains("libavif ") && text.hasSuffix("; a newer one may read the file)"), "\(text)")
  }

  @Test("An AVIF sequence without a still image plays")
  func sequence() throws {
    let whole = try Files.bytes("animated.avif")
    func images(_ file: [UInt8]) throws -> [Image] {
      let reader = try AnimationReader(file)
      var images: [Image] = []
      while let frame = try reader.next() { images.append(frame.image) }
      return images
    }
    let expected = try images(whole)
    var file = whole
    let meta = try #require(file.positions(of: Array("meta".utf8)).first)
    file.replaceSubrange(meta..<meta + 4, with: Array("free".utf8))
    // It promises no still image then.
    let length = file[0..<4].reduce(0) { $0 << 8 | Int($1) }
    for place in file[8..<length].positions(ofAll: ["avif", "mif1", "miaf"]) {
      file.replaceSubrange(place..<place + 4, with: Array("avis".utf8))
    }

    #expect(try images(file) == expected && expected.count > 1)
    #expect(try ImageDecoder.info(of: file).isAnimated)
    let first = try ImageDecoder.decode(file)
    #expect(first.size == expected[0].size)
    #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(Array(file.prefix(meta + 200))) }
  }

  @Test("A profile of gray applies alike in PNG, JPEG and TIFF, also with an intent of swapped bytes")
  func grayProfiles() throws {
    for intent in [[0, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0]] as [[UInt8]] {
      var profile = Profiles.linearGray
      profile.replaceSubrange(64..<68, with: intent)
      let chunk = ("iCCP", Array("name".utf8) + [0, 0] + Deflate.stored(profile))
      let png = PNGFile.file(1, 1, color: 0, before: [chunk], rows: [[128]])
      let jpeg = JPEGFile(levels: [128]).bytes.addingToJPEG(Profiles.segment(profile[...], number: 1, of: 1))
      var tiff = TIFFFile(width: 1, height: 1, colors: 1, colorSamples: 1, bits: 8)
      tiff.profile = profile
      tiff.value = { _, _, _ in 128 / 255 }
      for file in [png, jpeg, tiff.bytes] {
        let image = try ImageDecoder.decode(file)
        #expect(image.colorSpace == .sRGB, "\(intent)")
        #expect(Profiles.isLight(image.bytes[0], of: 128), "\(image.bytes[0]) \(intent)")
      }
    }
  }

  @Test("Inks of a JPEG are inverted without the marker of Adobe's programs too, as in browsers")
  func inks() throws {
    for levels in [[200, 100, 50, 255], [200, 100, 50, 51], [0, 0, 0, 0]] {
      let plain = try ImageDecoder.decode(JPEGFile(levels: levels).bytes)
      #expect(try plain == ImageDecoder.decode(JPEGFile(levels: levels, adobeTransform: 0).bytes))
    }
  }
}

extension ArraySlice<UInt8> {
  /// Where any of these words of four letters are.
  fileprivate func positions(ofAll words: [String]) -> [Int] {
    stride(from: startIndex, to: endIndex - 3, by: 4).filter { place in
      words.contains { self[place..<place + 4].elementsEqual($0.utf8) }
    }
  }
}
