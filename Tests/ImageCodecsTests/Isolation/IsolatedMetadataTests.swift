#if os(Linux)
  import ImageCodecs
  import Testing

  extension IsolationTests {
    @Suite("Metadata from a worker process")
    struct IsolatedMetadataTests {
      private static func png(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        PNGFile.file(1, 1, color: 0, before: chunks, rows: [[0, 0]])
      }

      @Test("`IsolatedImageDecoder` reads the same metadata as `ImageMetadata`")
      func isolated() throws {
        let decoder = IsolatedImageDecoder()
        let exif = ExifFile.photograph(isBigEndian: false).bytes
        let profile = try #require(ICCProfile.displayP3).bytes
        let all: [(String, [UInt8])] = [
          ("iCCP", Array("P3\0\0".utf8) + Deflate.stored(profile)), ("eXIf", exif),
          (
            "iTXt",
            Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + Deflate.stored(Array(PhotographFile.xmp.utf8))
          ),
          ("tEXt", Array("Title\0Tower".utf8)), ("zTXt", Array("Author\0\0".utf8) + Deflate.stored([0xE4])),
        ]
        let files = [Self.png(all), Self.png([]), PhotographFile.jpeg(JPEGFile().bytes)]
        #expect(try ImageMetadata(of: files[0]).texts == ["Title": "Tower", "Author": "ä"])

        for file in files {
          #expect(try decoder.metadata(of: file) == ImageMetadata(of: file))
        }
      }

      @Test("Texts of a PNG that exceed the limits are left out in a worker process too")
      func limits() throws {
        var limits = DecodingLimits()
        limits.maximumMetadataBytes = 100
        let file = Self.png([
          ("tEXt", Array("Title\0".utf8) + [UInt8](repeating: 0x61, count: 101)),
          ("tEXt", Array("Author\0Ada".utf8)),
        ])

        #expect(try IsolatedImageDecoder().metadata(of: file, limits: limits).texts == ["Author": "Ada"])
      }

      @Test("A crash while metadata is read is an error")
      func crash() throws {
        let decoder = IsolatedImageDecoder(Workers.hostile)

        #expect(throws: ImageCodecError.decoderCrashed(signal: 11)) {
          try decoder.metadata(of: Workers.image("wild-write"))
        }
      }

      @Test("A reply that claims impossible bytes of metadata is refused")
      func claims() {
        func reply(_ offset: Int, _ count: Int) -> String {
          switch WorkerProbe.metadata(offset: offset, count: count) {
          case .success(let metadata): return metadata.isEmpty ? "empty" : "full"
          case .failure(.decoderMisbehaved(let reason)): return reason
          case .failure(let error): return "\(error)"
          }
        }

        #expect(reply(0, 0) == "empty")
        #expect(reply(0, 10) == "empty")
        #expect(reply(0, 3) == "it claims metadata that is none")
        #expect(reply(0, 1 << 40) == "it has more bytes than the limit")
        for offset in [1, 1 << 40] { #expect(reply(offset, 10) == "it claims memory that there is not") }
      }
    }
  }
#endif
