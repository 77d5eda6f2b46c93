import CCodecs
import Testing

@Suite("Compressed bytes")
struct ZlibTests {
  private static let text = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }

  /// How it ended, and what was written of a buffer that begins as nines and has one byte more than is allowed.
  private func inflated(
    _ bytes: [UInt8], _ capacity: Int,
    _ inflate: (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<Int>?) ->
      CodecStatus
  ) -> (status: CodecStatus, content: [UInt8]) {
    let input = FencedBytes(bytes, fence: .after),
      output = FencedBytes([UInt8](repeating: 9, count: capacity), fence: .after)
    var written = 77
    let status = inflate(input.start, bytes.count, output.start, capacity, &written)
    return (status, Array(output.content.prefix(written)))
  }

  @Test("A gzip file is inflated as far as there is room, and with all of its members")
  func gzip() {
    let text = Self.text, file = GZipFile.stored(text)
    for (bytes, capacity, status, content) in [
      (file, 1_000, .done, text), (file, 1_001, .done, text),
      (file, 999, .truncated, Array(text.prefix(999))),
      (file, 1, .truncated, [text[0]]),
      (file + file, 2_000, .done, text + text), (file + file, 1_999, .truncated, text + text.prefix(999)),
      (file + file + file, 3_001, .done, text + text + text),
    ] as [([UInt8], Int, CodecStatus, [UInt8])] {
      #expect(
        inflated(bytes, capacity, codec_gzip_inflate) == (status, content), "\(bytes.count) into \(capacity)")
    }
  }

  @Test("Bytes behind a member are ignored unless they begin another one")
  func behind() {
    let text = Self.text, file = GZipFile.stored(text)
    for rest: [UInt8] in [
      [0], [0x1F], [0x1F, 0x8B], [0, 0, 0, 0], [0x1F, 0x8B, 7], [0x1F, 0x8C, 8, 0], [0x20, 0x8B, 8, 0],
    ] {
      #expect(inflated(file + rest, 2_000, codec_gzip_inflate) == (.done, text), "\(rest)")
    }
    #expect(inflated(file + [0x1F, 0x8B, 8], 2_000, codec_gzip_inflate) == (.truncated, text))
    #expect(inflated(file + file.prefix(500), 2_000, codec_gzip_inflate).status == .truncated)
    #expect(inflated(file + [0x1F, 0x8B, 8, 0xFF], 2_000, codec_gzip_inflate).status == .corrupt)
  }

  @Test("A gzip file that ends early or is damaged is refused")
  func damages() {
    let file = GZipFile.stored(Self.text)
    for count in [0, 1, 9, 10, 20, file.count - 1] {
      #expect(inflated(Array(file.prefix(count)), 2_000, codec_gzip_inflate).status == .truncated, "\(count)")
    }
    for place in [0, 1, 2, 12, file.count - 5, file.count - 1] {
      var damaged = file
      damaged[place] ^= 0x55
      #expect(inflated(damaged, 2_000, codec_gzip_inflate).status == .corrupt, "\(place)")
    }
  }

  @Test("A stream of zlib is inflated if all of it is there, and there is room for all of it")
  func zlib() {
    let text = Self.text, stream = Deflate.stored(text)
    #expect(inflated(stream, 1_000, codec_zlib_inflate) == (.done, text))
    #expect(inflated(stream, 1_001, codec_zlib_inflate) == (.done, text))
    #expect(inflated(stream + [1, 2], 1_000, codec_zlib_inflate) == (.done, text))
    #expect(inflated(stream, 999, codec_zlib_inflate) == (.corrupt, Array(text.prefix(999))))
    #expect(inflated(Array(stream.dropLast()), 1_000, codec_zlib_inflate) == (.corrupt, text))
    #expect(inflated([], 1_000, codec_zlib_inflate) == (.corrupt, []))
    #expect(inflated(GZipFile.stored(text), 1_000, codec_zlib_inflate) == (.corrupt, []))
  }

  @Test("The checksum is that of PNG, of any number of bytes")
  func checksum() {
    #expect(codec_crc32(Array("123456789".utf8), 9) == 0xCBF4_3926 && codec_crc32([1], 0) == 0)
    #expect(codec_crc32(Array("IEND".utf8), 4) == 0xAE42_6082)
  }
}
