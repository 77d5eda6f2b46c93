#if canImport(Glibc)
  import Glibc
  import ImageCodecs
  import TestSupport
  import Testing

  @Suite("Memory of others", .serialized)
  struct FreeMemoryTests {
    /// Has the heap hand out memory that is full of a value.
    private func fill(_ value: Int32) {
      let sizes = [2_048, 4_096, 8_192, 16_384, 65_536, 131_072]
      let blocks = sizes.flatMap { size in
        (0..<12).compactMap { _ in
          malloc(size).map { block in
            memset(block, value, size)
            return block
          }
        }
      }
      blocks.forEach { free($0) }
    }

    /// The codes end the first slice of the stream before its last blocks.
    private func file() throws -> [UInt8] {
      var file = try Files.bytes("picture.heic")
      (file[0xB2F], file[0xC51]) = (0x1A, 0xA0)
      return file
    }

    @Test(
      "A HEIC whose stream describes a part of its pixels shows no memory of the program",
      .enabled(if: !isSanitized, "the heap is the sanitizer's, which has no option to clear memory"))
    func heic() throws {
      let images = try [0, 0x55, 0xFF, 0x80].map { (value: Int32) -> [UInt8] in
        fill(value)
        return try ImageDecoder.decode(file()).bytes
      }

      #expect(Set(images).count == 1)
    }

    @Test("A HEIC whose stream describes a part of its pixels shows no earlier image of its worker")
    func isolated() throws {
      let decoder = IsolatedImageDecoder()
      let others = ["picture.heic", "wide.heic", "deep.heic", "picture.avif"]
      let images = try others.map { (other: String) -> [UInt8] in
        _ = try decoder.decode(Files.bytes(other))
        return try decoder.decode(file()).bytes
      }

      #expect(Set(images).count == 1 && decoder.startedWorkerCount == 1)
    }
  }
#endif
