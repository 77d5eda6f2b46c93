import ImageCodecs
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("HEIC codec availability")
struct MissingCodecTests {
  @Test(
    "An installed HEIC encoder writes a file that decodes",
    .enabled(if: Codecs.writesHEIC, "\(Codecs.noEncoder)"))
  func installed() throws {
    let file = try ImageEncoder.encode(Files.image("picture.png"), as: .heic(quality: 0.9))

    #expect(try ImageDecoder.decode(file).visibleLikeness(to: Files.image("picture.png")) > 30)
  }

  #if canImport(Glibc)
    @Test(
      "A missing HEIC plug-in is named in the error, and other formats still decode",
      .enabled(if: Codecs.arePlugIns, "libheif has its codecs built in"))
    func missing() async {
      await #expect(processExitsWith: .success) {
        #expect(setenv("LIBHEIF_PLUGIN_PATH", "/nowhere", 1) == 0)
        let image = try Files.image("picture.png")
        let file = try Files.bytes("picture.heic")
        let worker = IsolatedImageDecoder()

        #expect(throws: ImageCodecError.missingLibrary("libheif-plugin-x265")) {
          try ImageEncoder.encode(image, as: .heic())
        }
        for decode in [{ try ImageDecoder.decode($0) }, { try worker.decode($0) }]
          as [([UInt8]) throws -> Image]
        {
          #expect(try decode(Files.bytes("picture.png")) == image)
          #expect(throws: ImageCodecError.missingLibrary("libheif-plugin-libde265")) { try decode(file) }
        }
      }
    }
  #endif
}
