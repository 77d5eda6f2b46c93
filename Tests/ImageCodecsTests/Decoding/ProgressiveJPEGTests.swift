import CCodecs
import ImageCodecs
import Testing

@Suite("Scans of a progressive JPEG")
struct ProgressiveJPEGTests {
  private struct Result: Equatable {
    var status = CodecStatus.done
    var message = ""
    var size = PixelSize(width: 0, height: 0)
    var pixels: [UInt8] = []
    var scans: Int32 = 0
  }

  private static func decoded(
    _ bytes: [UInt8], eighths: UInt32, stopsEarly: Bool, workingBytes: Int64 = 1 << 30, scans: Int32 = 64
  ) throws -> Result {
    var options = CodecReadOptions(
      isStrict: true, maximumScans: scans, maximumWarnings: 10, maximumWorkingBytes: workingBytes,
      maximumProfileBytes: 1_000, shouldContinue: { _ in true }, context: nil)
    let reader = try #require(codec_jpeg_reader_create(bytes, bytes.count, &options))
    defer { codec_jpeg_reader_destroy(reader) }
    var header = CodecJPEGHeader(), width: UInt32 = 0, height: UInt32 = 0
    try #require(codec_jpeg_reader_read_header(reader, &header) == .done)
    var result = Result()
    result.status = codec_jpeg_reader_start(reader, eighths, stopsEarly, &width, &height)
    if result.status == .done {
      let row = Int(width * header.channels)
      result.pixels = [UInt8](repeating: 7, count: row * Int(height))
      result.status = codec_jpeg_reader_read(reader, &result.pixels, row)
    }
    result.size = PixelSize(width: Int(width), height: Int(height))
    result.message = String(cString: codec_jpeg_reader_message(reader))
    result.scans = codec_jpeg_reader_scans(reader)
    return result
  }

  private static let sizes = [(1, 1), (9, 17), (40, 33), (130, 70), (16, 129)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  @Test(
    "A small picture of a few coefficients is the same whether all of them are kept or those that are seen",
    arguments: SampledJPEG.samplings, [false, true])
  func compact(sampling: SampledJPEG.Sampling, isByComponent: Bool) throws {
    for size in Self.sizes {
      for eighths: UInt32 in [1, 2, 4, 8] {
        // Pixels of one coefficient are made of the first one alone, unless the component is decoded at twice that size.
        let isAlone = eighths == 1 && ["gray", "4:4:4"].contains(sampling.name)
        for most in isAlone || eighths == 8 ? [5, 20] : [5] {
          let file = ProgressiveJPEG(size, sampling, most: most, isByComponent: isByComponent)

          let all = try Self.decoded(file.bytes, eighths: eighths, stopsEarly: false)
          let few = try Self.decoded(file.bytes, eighths: eighths, stopsEarly: true)

          #expect(
            all.status == .done && few.status == .done, "\(size) \(eighths) \(all.message) \(few.message)")
          #expect(all.size == few.size && all.pixels == few.pixels, "\(size) \(eighths)")
        }
      }
    }
  }

  @Test("Scans that are not seen at a size are not read, wherever they are, and all others are")
  func gaps() throws {
    let size = PixelSize(width: 40, height: 33)
    for sampling in SampledJPEG.samplings where ["gray", "4:4:4"].contains(sampling.name) {
      let count = sampling.components.count
      for isByComponent in [false, true] {
        let file = ProgressiveJPEG(size, sampling, most: 20, isByComponent: isByComponent)
        let low = [Int](repeating: 5, count: count), high = [Int](repeating: 63, count: count)
        let lasts = [0] + (isByComponent ? (0..<count).flatMap { _ in [5, 63] } : low + high)
        // At a quarter, coefficients up to number 4 are seen; at a half, up to number 24.
        for (eighths, seen) in [(1, [0]), (2, [0, 5]), (4, [0, 5, 63]), (8, [0, 5, 63])] as [(UInt32, [Int])]
        {
          let plain = try Self.decoded(file.bytes, eighths: eighths, stopsEarly: true)
          for (index, last) in lasts.enumerated() {
            var damaged = file.bytes
            // A marker that is not at its place is data of no meaning.
            let end = file.scans[index + 1]
            for place in (end - 6..<end) { damaged[place] = place % 2 == 0 ? 0xFF : 0xD5 }
            let isSeen = seen.contains(last)

            let result = try Self.decoded(damaged, eighths: eighths, stopsEarly: true)

            #expect((result == plain) != isSeen, "\(sampling.name) \(isByComponent) \(eighths) \(index)")
          }
        }
      }
    }
  }

  @Test("A file with fewer scans than are needed, or too many, has an error that says which")
  func counts() throws {
    let file = ProgressiveJPEG(PixelSize(width: 40, height: 33), SampledJPEG.samplings[1])
    for eighths: UInt32 in [1, 2, 4] {
      // Without its last scans, a file is read as any other.
      for count in 1..<7 {
        let bytes = Array(file.bytes.prefix(file.scans[count])) + [0xFF, 0xD9]
        let few = try Self.decoded(bytes, eighths: eighths, stopsEarly: true)
        // The first scan is enough for one coefficient, and four of six for two columns and rows. Otherwise all that are there
        // are read.
        let scans: Int = eighths == 1 ? 1 : eighths == 2 && count == 6 ? 4 : count
        #expect(few.status == .done && few.scans == Int32(scans), "\(eighths) \(count)")
      }
    }
    for scans: Int32 in 0...8 {
      let result = try Self.decoded(file.bytes, eighths: 8, stopsEarly: true, scans: scans)
      #expect(result.status == (scans < 7 ? .tooManyScans : .done), "\(scans)")
      #expect(result.message == (scans < 7 ? "too many scans" : ""))
    }
  }

  @Test(
    "The memory of coefficients is counted to the byte: a block more than the picture on either side, for each component"
  )
  func memory() throws {
    for size in Self.sizes {
      for sampling in SampledJPEG.samplings {
        let file = ProgressiveJPEG(size, sampling)
        let most = (sampling.components.map(\.across).max() ?? 1, sampling.components.map(\.down).max() ?? 1)
        let bytes = sampling.components.reduce(0) { sum, component in
          let columns = (size.width * component.across + 8 * most.0 - 1) / (8 * most.0) + component.across
          let rows = (size.height * component.down + 8 * most.1 - 1) / (8 * most.1) + component.down
          return sum + columns * rows * 64 * 2
        }
        var cases: [(UInt32, Bool, Int)] = [(8, true, bytes), (1, false, bytes), (8, false, bytes)]
        if ["gray", "4:4:4"].contains(sampling.name) {
          cases += [(1, true, bytes / 64), (2, true, bytes / 16)]
        }
        for (eighths, stopsEarly, expected) in cases {
          for (allowed, isRefused) in [(expected - 1, true), (expected, false)] {
            let result = try Self.decoded(
              file.bytes, eighths: eighths, stopsEarly: stopsEarly, workingBytes: Int64(allowed))
            // libjpeg counts what it needs besides, and may refuse that.
            let isCounted = result.status == .tooMuchMemory && result.message == "too many coefficients"
            #expect(
              isCounted == isRefused, "\(size) \(sampling.name) \(eighths) \(stopsEarly): \(result.message)")
          }
        }
      }
    }
  }
}
