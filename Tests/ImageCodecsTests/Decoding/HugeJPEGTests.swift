#if canImport(Glibc)
  import Glibc
  import ImageCodecs
  import Testing

  @Suite("Huge JPEG")
  struct HugeJPEGTests {
    @Test("A 100-megapixel JPEG is written by row and becomes a thumbnail in 32 MB")
    func thumbnail() async {
      // In a process of its own, whose peak of memory is that of this work alone.
      await #expect(processExitsWith: .success) {
        let writer = JPEGWriter(width: 12_000, height: 8_400, pixelFormat: .rgb8, quality: 0.6)
        let line = (0..<12_000).flatMap { x -> [UInt8] in [UInt8(x / 47), UInt8(x % 64), 90] }
        var file: [UInt8] = []
        let before = peakMegabytes()

        try writer.write { _, row in
          row.copyBytes(from: line)
        } output: { bytes in
          file.append(contentsOf: bytes)
        }
        var options = DecodingOptions(target: .fitting(512))
        options.limits.maximumPixels = 2_000_000
        options.limits.maximumDecodedBytes = 8 << 20
        let image = try ImageDecoder.decode(file, options: options)

        try #require(image.size == PixelSize(width: 512, height: 358))
        try #require(peakMegabytes() - before < 32)
        let middle = try #require(image.pixel(x: 256, y: 179))
        try #require(abs(Int(middle.red) - 127) < 6 && abs(Int(middle.blue) - 90) < 6)
      }
    }
  }

  private func peakMegabytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1024
  }
#endif
