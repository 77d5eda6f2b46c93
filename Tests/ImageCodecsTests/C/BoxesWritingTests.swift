import CCodecs
import ImageCodecs
import Testing

@Suite("AVIF and HEIC, written in C")
struct BoxesWritingTests {
  enum Library: CaseIterable, Sendable {
    case avif, heic

    static var installed: [Library] { allCases.filter { $0 == .avif || Codecs.writesHEIC } }
  }

  private static func written(
    _ library: Library, _ image: Image, quality: Float = 60, _ blocks: WrittenBlocks = WrittenBlocks(),
    gap: Int = 0
  ) -> WrittenFile {
    let (all, row) = (image.bytes, image.width * image.pixelFormat.bytesPerPixel)
    let pixels = stride(from: 0, to: all.count, by: row).flatMap {
      all[$0..<$0 + row] + [UInt8](repeating: 0xAA, count: gap)
    }
    return blocks.with { metadata in
      var encoding = CodecBoxesEncoding(
        width: UInt32(image.width), height: UInt32(image.height),
        channels: UInt32(image.pixelFormat.channelCount), quality: quality, metadata: metadata)
      return WrittenFile { output, count, message in
        library == .avif
          ? codec_avif_write(&encoding, pixels, row + gap, output, count, message)
          : codec_heif_write(&encoding, pixels, row + gap, output, count, message)
      }
    }
  }

  @Test(
    "A file has a color profile, Exif and XMP only if there is something in them",
    arguments: Library.installed)
  func blocks(library: Library) throws {
    let image = try Samples.picture(32, 16, .rgb8), profile = Profiles.minimal()
    let exif: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 0], xmp = Array("<x>xmp</x>".utf8)
    let all: [WrittenBlocks] = [
      WrittenBlocks(), WrittenBlocks(profile: profile), WrittenBlocks(exif: exif), WrittenBlocks(xmp: xmp),
      WrittenBlocks(profile: profile, exif: exif, xmp: xmp),
    ]
    for blocks in all {
      let file = Self.written(library, image, blocks)

      #expect(file.status == .done)
      #expect(file.contains("colrprof") == !blocks.profile.isEmpty)
      #expect(file.contains("Exif") == !blocks.exif.isEmpty)
      #expect(file.contains("application/rdf+xml") == !blocks.xmp.isEmpty)
      for block in [blocks.profile, blocks.exif, blocks.xmp] where !block.isEmpty {
        #expect(!file.bytes.positions(of: block).isEmpty)
      }
      #expect(try ImageDecoder.decode(file.bytes).likeness(to: image) > 20)
      if library == .avif, blocks.profile.isEmpty {
        // The primaries of BT.709 and the curve of sRGB.
        #expect(!file.bytes.positions(of: Array("colrnclx".utf8) + [0, 1, 0, 13]).isEmpty)
      }
    }
  }

  @Test(
    "A higher quality makes a larger file, and is rounded to the nearest step of the library",
    arguments: Library.installed)
  func quality(library: Library) throws {
    let image = try Samples.noise(32, 32, .rgb8)
    func file(_ quality: Float) -> [UInt8] { Self.written(library, image, quality: quality).bytes }

    #expect(file(10).count < file(50).count && file(50).count < file(90).count)
    if library == .heic {
      #expect(file(0) != file(1) && file(50.4) == file(50) && file(50.4) != file(50.6))
    } else {
      #expect(file(99) != file(100) && file(50) != file(50.4))
    }
  }

  @Test("Rows may have something behind them, which is not part of the picture", arguments: Library.installed)
  func gaps(library: Library) throws {
    for format in [Image.PixelFormat.gray8, .rgb8, .rgba8] {
      let image = try Samples.picture(31, 9, format)

      let file = Self.written(library, image, gap: 5)

      #expect(file.status == .done && file.bytes == Self.written(library, image).bytes)
      let isColored = format != .gray8
      #expect(try !isColored || ImageDecoder.decode(file.bytes).pixelFormat == format)
    }
  }
}
