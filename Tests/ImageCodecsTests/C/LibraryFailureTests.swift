import CCodecs
import ImageCodecs
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("C library failures")
struct LibraryFailureTests {
  @Test("The JPEG writer reports an error and its message when libjpeg fails")
  func writer() throws {
    let writer = try #require(codec_jpeg_writer_create())
    defer { codec_jpeg_writer_destroy(writer) }
    var options = CodecJPEGWriterOptions(
      width: 70_000, height: 1, channels: 3, quality: 80, isProgressive: false, profile: nil, profileCount: 0)

    #expect(codec_jpeg_writer_start(writer, &options) == .corrupt)
    #expect(String(cString: codec_jpeg_writer_message(writer)).contains("65500"))
    var count = 99
    _ = codec_jpeg_writer_output(writer, &count)
    #expect(count == 0)
  }

  @Test("Destroying a null reader or writer does nothing")
  func nothing() {
    codec_jpeg_writer_destroy(nil)
    codec_jpeg_reader_destroy(nil)
    codec_png_reader_destroy(nil)
    codec_webp_animation_destroy(nil)
  }

  @Test("The WebP header reader distinguishes truncated bytes from damaged ones", arguments: [0, 4, 11, 20])
  func header(count: Int) throws {
    let file = try Files.bytes("lossy.webp")
    var header = CodecWebPHeader()

    #expect(codec_webp_read_header(Array(file.prefix(count)), count, &header) == .truncated)
    #expect(header.width == 0)
    #expect(codec_webp_read_header([UInt8](repeating: 7, count: 64), 64, &header) == .corrupt)
    #expect(codec_webp_read_header(file, file.count, &header) == .done)
    #expect(header.width > 0 && header.height > 0 && !header.hasAlpha)
  }

  @Test("Opening a WebP animation fails for bytes that are not a WebP file")
  func animation() throws {
    var width: UInt32 = 0, height: UInt32 = 0

    #expect(codec_webp_animation_create([UInt8](repeating: 7, count: 64), 64, &width, &height) == nil)

    let file = try Files.bytes("animated.webp")
    let animation = try #require(codec_webp_animation_create(file, file.count, &width, &height))
    codec_webp_animation_destroy(animation)
    #expect(width > 0 && height > 0)
  }

  #if canImport(Glibc)
    @Test(
      "Library output is silenced only where file descriptors are available",
      .enabled(if: !isSanitized, "reports of a sanitizer would be lost"))
    func silence() async {
      #expect(codec_can_be_quiet())
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 3, rlim_max: 3)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
        guard !codec_can_be_quiet() else { exit(3) }
      }
    }
  #endif
}
