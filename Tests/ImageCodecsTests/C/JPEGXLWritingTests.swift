import CCodecs
import ImageCodecs
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("JPEG XL, written in C")
struct JPEGXLWritingTests {
  private static func transcoded(_ jpeg: [UInt8], effort: Int32) -> WrittenFile {
    WrittenFile { codec_jxl_write_jpeg(jpeg, jpeg.count, effort, $0, $1, $2) }
  }

  private static func written(
    _ image: Image, distance: Float = 0, effort: Int32 = 1, _ blocks: WrittenBlocks = WrittenBlocks(),
    missing: Int = 0
  ) -> WrittenFile {
    let pixels = image.bytes
    return blocks.with { metadata in
      var encoding = CodecJXLEncoding(
        width: UInt32(image.width), height: UInt32(image.height),
        channels: UInt32(image.pixelFormat.channelCount), isWide: image.pixelFormat.bitsPerChannel == 16,
        distance: distance, effort: effort, metadata: metadata)
      return WrittenFile { codec_jxl_write(&encoding, pixels, pixels.count - missing, $0, $1, $2) }
    }
  }

  @Test("A JPEG is kept in a container with what makes the same file of it, smaller with more effort")
  func jpeg() throws {
    let jpeg = try ImageEncoder.encode(Samples.picture(64, 48, .rgb8), as: .jpeg())
    let files = [1, 9].map { Self.transcoded(jpeg, effort: $0) }

    for file in files {
      #expect(file.status == .done && file.message == "")
      #expect(file.bytes.starts(with: [0, 0, 0, 12] + Array("JXL ".utf8)) && file.contains("jbrd"))
      #expect(try ImageDecoder.originalJPEG(of: file.bytes) == jpeg)
    }
    #expect(files[1].bytes.count < files[0].bytes.count)
  }

  @Test("A JPEG that ends early and an effort that does not exist are refused with a number of libjxl")
  func refusedJPEG() throws {
    let jpeg = try ImageEncoder.encode(Samples.picture(64, 48, .rgb8), as: .jpeg())
    for file in [
      Self.transcoded(jpeg, effort: 0), Self.transcoded(jpeg, effort: 99),
      Self.transcoded(Array(jpeg.prefix(jpeg.count / 2)), effort: 3), Self.transcoded([], effort: 3),
    ] {
      #expect(file.status == .unsupported && file.bytes.isEmpty)
      #expect(file.message.hasPrefix("libjxl: error ") && file.message.count > 14)
    }
  }

  @Test("Pixels of every layout come back without loss, and close to it with a little", arguments: [8, 16])
  func layouts(bits: Int) throws {
    for format in Image.PixelFormat.allCases where format.bitsPerChannel == bits {
      let image = try Samples.picture(13, 7, format), lossless = Self.written(image)
      let lossy = Self.written(image, distance: 0.5)

      #expect(lossless.status == .done && lossy.status == .done)
      let options = DecodingOptions(keepsDepth: true)
      #expect(try ImageDecoder.decode(lossless.bytes, options: options) == image, "\(format)")
      let again = try ImageDecoder.decode(lossy.bytes, options: options)
      #expect(again != image && again.pixelFormat == format, "\(format)")
      #expect(try again.reducedTo8Bits().visibleLikeness(to: image.reducedTo8Bits()) > 28, "\(format)")
    }
  }

  @Test("A file that is larger than the first room for it is complete")
  func large() throws {
    let image = try Samples.noise(200, 200, .rgb8), file = Self.written(image)

    #expect(file.status == .done && file.bytes.count > 70_000)
    #expect(try ImageDecoder.decode(file.bytes) == image)
  }

  @Test("A file has boxes for Exif and XMP if there is any, and else it has no boxes")
  func boxes() throws {
    let image = try Samples.picture(9, 9, .rgb8)
    let exif: [UInt8] = Array("MM".utf8) + [0, 42, 1, 2, 3], xmp = Array("<x/>".utf8)
    for (blocks, hasExif, hasXMP) in [
      (WrittenBlocks(), false, false), (WrittenBlocks(exif: exif), true, false),
      (WrittenBlocks(xmp: xmp), false, true), (WrittenBlocks(exif: exif, xmp: xmp), true, true),
      (WrittenBlocks(exif: [7]), true, false), (WrittenBlocks(xmp: [7]), false, true),
    ] {
      let file = Self.written(image, blocks)

      #expect(file.status == .done)
      #expect(file.bytes.starts(with: hasExif || hasXMP ? [0, 0, 0, 12] : [0xFF, 0x0A]))
      #expect(file.contains("Exif") == hasExif && file.contains("xml ") == hasXMP)
      if hasExif {
        let box = Array("Exif".utf8) + [0, 0, 0, 0] + blocks.exif
        let length: [UInt8] = big(box.count + 4, count: 4)
        #expect(!file.bytes.positions(of: length + box).isEmpty)
      }
      if hasXMP {
        let length: [UInt8] = big(blocks.xmp.count + 8, count: 4)
        #expect(!file.bytes.positions(of: length + Array("xml ".utf8) + blocks.xmp).isEmpty)
      }
    }
  }

  @Test("Each setting that libjxl does not accept is refused")
  func refused() throws {
    let image = try Samples.picture(9, 9, .rgb8)
    let profile = WrittenBlocks(profile: [UInt8](repeating: 7, count: 300))
    for (index, file) in [
      Self.written(image, effort: 0), Self.written(image, distance: -1), Self.written(image, missing: 1),
      Self.written(image, profile),
    ].enumerated() {
      #expect(file.status == .unsupported && file.bytes.isEmpty, "\(index)")
      let message = index == 3 ? "libjxl does not accept the color profile" : "libjxl: error "
      #expect(file.message.hasPrefix(message), "\(index)")
    }
  }

  #if canImport(Glibc)
    @Test(
      "Writing a JPEG XL leaks no memory, whether it ends well or not",
      .enabled(if: !isSanitized, "a sanitizer has a heap of its own, and looks for leaks itself"))
    func leaks() async {
      await #expect(processExitsWith: .success) {
        Heap.useOneArena()
        let image = try Samples.picture(16, 16, .rgb8)
        let jpeg = try ImageEncoder.encode(image, as: .jpeg())
        let blocks = WrittenBlocks(exif: [1, 2, 3], xmp: [4, 5, 6])
        let profile = WrittenBlocks(profile: [UInt8](repeating: 7, count: 300))
        let works: [() -> WrittenFile] = [
          { JPEGXLWritingTests.transcoded(jpeg, effort: 3) },
          { JPEGXLWritingTests.transcoded(jpeg, effort: 0) },
          { JPEGXLWritingTests.transcoded(Array(jpeg.prefix(jpeg.count / 2)), effort: 3) },
          { JPEGXLWritingTests.written(image, blocks) }, { JPEGXLWritingTests.written(image, profile) },
          { JPEGXLWritingTests.written(image, effort: 0) }, { JPEGXLWritingTests.written(image, missing: 1) },
        ]
        for (index, work) in works.enumerated() where Heap.leaked(each: 10, { _ = work() }) > 16 {
          exit(Int32(2 + index))
        }
      }
    }
  #endif
}
