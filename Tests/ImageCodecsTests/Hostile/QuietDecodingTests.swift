#if os(Linux)
  import Foundation
  import ImageCodecs
  import Testing

  @Suite("Library output", .serialized)
  struct QuietDecodingTests {
    @Test(
      "Messages of decoding libraries do not reach standard error", .enabled(if: BoxesDecoder.isQuiet),
      arguments: ["picture.avif", "transparent.avif", "picture.heic"])
    func damaged(name: String) throws {
      let file = try Files.bytes(name)
      let data = try #require(file.positions(of: Array("mdat".utf8)).first) + 4
      var errors = 0

      let printed = try standardError(during: {
        for position in stride(from: data, to: file.count, by: max((file.count - data) / 60, 1)) {
          for byte: UInt8 in [0x00, 0x7B, 0xFF] {
            var bytes = file
            bytes[position] = byte
            if (try? ImageDecoder.decode(bytes)) == nil { errors += 1 }
          }
        }
        // What the program prints meanwhile is its own matter.
        FileHandle.standardError.write(Data("from the program\n".utf8))
      })

      #expect(errors > 0)
      #expect(printed.contains("from the program"))
      for word in ["OBU", "PPS", "NAL"] { #expect(!printed.contains(word), "\(printed)") }
    }

    @Test("Output of a worker process on standard error is dropped, and the image decodes")
    func worker() throws {
      let decoder = IsolatedImageDecoder(Workers.hostile)

      var image: Image?

      let printed = try standardError(during: {
        image = try decoder.decode(Workers.image("chatter"))
        FileHandle.standardError.write(Data("from the program\n".utf8))
      })

      #expect(try image == Samples.flat(300, 200, [10, 20, 30]))
      #expect(printed.contains("from the program"))
      #expect(!printed.contains("chatter"))
    }

    /// What is written to standard error while `body` runs, by other tests, too.
    private func standardError(during body: () throws -> Void) throws -> String {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
      defer { try? FileManager.default.removeItem(at: file) }
      let handle = try FileHandle(forWritingTo: file)
      let before = dup(STDERR_FILENO)
      dup2(handle.fileDescriptor, STDERR_FILENO)
      defer {
        dup2(before, STDERR_FILENO)
        close(before)
      }
      try body()
      return try String(contentsOf: file, encoding: .utf8)
    }
  }
#endif
