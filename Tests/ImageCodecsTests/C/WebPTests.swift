import CCodecs
import Testing

@Suite("WebP, read and written in C")
struct WebPTests {
  private static func noise(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: 23)
    return (0..<count).map { _ in random.byte() }
  }

  private static func written(
    _ pixels: [UInt8], _ width: Int, _ height: Int, _ channels: Int, bytesPerRow: Int? = nil,
    quality: Float? = nil,
    effort: UInt32 = 4
  ) -> (status: CodecStatus, file: [UInt8]) {
    var encoding = CodecWebPEncoding(
      width: UInt32(width), height: UInt32(height), channels: UInt32(channels), isLossless: quality == nil,
      quality: quality ?? 0, effort: effort)
    var output: UnsafeMutablePointer<UInt8>?, count = 0
    let status = codec_webp_write(&encoding, pixels, bytesPerRow ?? width * channels, &output, &count)
    defer { codec_webp_free(output) }
    return (status, Array(UnsafeBufferPointer(start: output, count: count)))
  }

  /// Rows have three bytes more than they need. What is beside the pixels stays as it was.
  private static func read(
    _ file: [UInt8], _ width: Int, _ height: Int, _ channels: Int, patience: inout Patience
  ) -> (status: CodecStatus, pixels: [UInt8]) {
    let bytesPerRow = width * channels + 3
    var room = [UInt8](repeating: 0xEE, count: bytesPerRow * height)
    let status = room.withUnsafeMutableBufferPointer { room in
      withUnsafeMutablePointer(to: &patience) { context in
        var options = CodecReadOptions()
        (options.shouldContinue, options.context) = (Patience.ask, UnsafeMutableRawPointer(context))
        var frame = CodecWebPFrame(
          width: UInt32(width), height: UInt32(height), channels: UInt32(channels), pixels: room.baseAddress,
          bytesPerRow: bytesPerRow, byteCount: room.count)
        return codec_webp_read(file, file.count, &options, &frame)
      }
    }
    let rows = (0..<height).map { room[$0 * bytesPerRow..<($0 + 1) * bytesPerRow] }
    #expect(rows.allSatisfy { $0.suffix(3) == [0xEE, 0xEE, 0xEE] })
    return (status, rows.flatMap { $0.dropLast(3) })
  }

  @Test("Lossless pixels of any layout come back, also those that are transparent", arguments: [1, 3, 4])
  func lossless(channels: Int) {
    for (width, height) in [(1, 1), (7, 5), (1, 40), (33, 2)] {
      let pixels = Self.noise(width * height * channels)
      let padding: [UInt8] = [1, 2, 3, 4, 5]
      let padded = stride(from: 0, to: pixels.count, by: width * channels).flatMap { start -> [UInt8] in
        Array(pixels[start..<start + width * channels]) + padding
      }
      let (status, file) = Self.written(padded, width, height, channels, bytesPerRow: padded.count / height)
      var header = CodecWebPHeader(), patience = Patience(allowed: .max)

      #expect(status == .done && codec_webp_read_header(file, file.count, &header) == .done)
      #expect(header.width == width && header.height == height && header.hasAlpha == (channels == 4))
      let read = Self.read(file, width, height, max(channels, 3), patience: &patience)
      let expected = channels == 1 ? pixels.flatMap { [$0, $0, $0] } : pixels
      #expect(read.status == .done && read.pixels == expected)
    }
  }

  @Test("A WebP is read at another width, another height or both")
  func scaled() {
    let whole: [UInt8] = [200, 100, 50, 255], flat = (0..<40 * 30).flatMap { _ in whole }
    let (_, file) = Self.written(flat, 40, 30, 4)
    for (width, height) in [(40, 15), (20, 30), (20, 15), (13, 7), (40, 30)] {
      for channels in [3, 4] {
        var patience = Patience(allowed: .max)
        let read = Self.read(file, width, height, channels, patience: &patience)
        #expect(read.status == .done)
        let color = Array(whole.prefix(channels))
        #expect(read.pixels == (0..<width * height).flatMap { _ in color }, "\(width) \(height) \(channels)")
      }
    }
  }

  @Test(
    "A WebP is fed in 64 steps, or in steps of 4 KiB, and reading stops before any of them",
    arguments: [10, 60, 350])
  func steps(side: Int) {
    let (_, file) = Self.written(Self.noise(side * side * 3), side, side, 3)
    let step = max(file.count / 64, 4_096), count = (file.count + step - 1) / step
    for allowed in [0, 1, count / 2, count - 1, count] {
      var patience = Patience(allowed: allowed)
      let read = Self.read(file, side, side, 3, patience: &patience)
      #expect(
        read.status == (allowed < count ? .stopped : .done) && patience.asked == min(allowed + 1, count))
    }
    for missing in [8, file.count / 2] {
      var patience = Patience(allowed: .max)
      let read = Self.read(Array(file.dropLast(missing)), side, side, 3, patience: &patience)
      #expect(read.status == .truncated, "\(missing)")
    }
  }

  @Test("Quality and effort change the size of a lossy file, and a side that is too long is refused")
  func settings() {
    let pixels = (0..<64 * 64).flatMap { (index: Int) -> [UInt8] in
      [UInt8(index % 64 * 4), UInt8(index / 64 * 4), UInt8(index * index / 7 % 256)]
    }
    func count(_ quality: Float, _ effort: UInt32) -> Int {
      Self.written(pixels, 64, 64, 3, quality: quality, effort: effort).file.count
    }

    #expect(count(10, 4) < count(50, 4) && count(50, 4) < count(95, 4))
    #expect(Set([0, 2, 6].map { count(60, $0) }).count == 3)
    for (width, height, channels) in [(16_384, 1, 3), (1, 16_384, 4), (16_384, 1, 1)] {
      let (status, file) = Self.written(
        [UInt8](repeating: 0, count: 16_384 * channels), width, height, channels)
      #expect(status == .corrupt && file.isEmpty)
    }
  }

  @Test("An animation has its frames with their durations, one of them none, and all of its canvas")
  func animation() throws {
    func frame(_ level: UInt8, _ milliseconds: Int) -> [UInt8] {
      let (_, file) = Self.written((0..<6).flatMap { _ in [level, 9, 9, 255] as [UInt8] }, 3, 2, 4)
      return WebPFile.chunk(
        "ANMF", little((0, 3), (0, 3), (2, 3), (1, 3), (milliseconds, 3), (0, 1)) + Array(file[12...]))
    }
    let durations = [100, 0, 250, 1]
    let frames = durations.enumerated().flatMap { frame(UInt8($0.offset * 50), $0.element) }
    let header = WebPFile.chunk("VP8X", [0x12, 0, 0, 0] + little(2, count: 3) + little(1, count: 3))
    let file = WebPFile.riff(header + WebPFile.chunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames)
    var width: UInt32 = 0, height: UInt32 = 0
    let animation = try #require(codec_webp_animation_create(file, file.count, &width, &height))
    defer { codec_webp_animation_destroy(animation) }

    #expect(width == 3 && height == 2)
    for (number, duration) in durations.enumerated() {
      var canvas = [UInt8](repeating: 7, count: 25), step = CodecWebPStep()
      #expect(codec_webp_animation_next(animation, &canvas, &step) == .done && step.exists)
      #expect(step.milliseconds == UInt32(duration))
      let pixel: [UInt8] = [UInt8(number * 50), 9, 9, 255]
      #expect(canvas == (0..<6).flatMap { _ in pixel } + [7])
    }
    var step = CodecWebPStep(exists: true, milliseconds: 3), canvas: [UInt8] = []
    #expect(codec_webp_animation_next(animation, &canvas, &step) == .done && !step.exists)
  }
}
