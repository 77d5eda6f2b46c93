#if canImport(Glibc)
  import Glibc
  import ImageCodecs
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

    @Test(
      "A HEIC whose stream describes a part of its pixels shows no memory of others",
      arguments: [false, true])
    func heic(isIsolated: Bool) throws {
      var file = try Files.bytes("picture.heic")
      // The codes end the first slice of the stream before its last blocks.
      (file[0xB2F], file[0xC51]) = (0x1A, 0xA0)
      let decoder = IsolatedImageDecoder()
      var images: [[UInt8]] = []
      for value: Int32 in [0, 0x55, 0xFF, 0x80] {
        fill(value)
        images.append(isIsolated ? try decoder.decode(file).bytes : try ImageDecoder.decode(file).bytes)
        // What a worker has decoded before.
        if isIsolated {
          _ = try decoder.decode(ImageEncoder.encode(Samples.noise(96, 72, .rgb8), as: .heic()))
        }
      }

      #expect(Set(images).count == 1)
    }
  }
#endif
