import CCodecs
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite("Limits and failures of TIFF, read in C")
struct TIFFLimitTests {
  /// Rows of one level each, of which 128 bytes are compressed to two.
  private static func runs(width: Int, height: Int = 1, samples: Int = 1) -> SmallTIFF {
    let block = (0..<height).flatMap { row in
      (0..<width * samples / 128).flatMap { _ -> [UInt8] in [129, UInt8(7 + row)] }
    }
    var file = SmallTIFF(width: width, height: height, block: block)
    (file.entries[259], file.entries[277]) = (32_773, samples)
    file.entries[262] = samples == 1 ? 1 : 2
    return file
  }

  @Test("Rows that are stored as they are needed take no memory beside the pixels")
  func plain() {
    for (samples, colors) in [(1, CodecTIFFColors.gray), (3, .RGB), (4, .RGB)] {
      let file = Self.runs(width: 65_536, samples: samples)
      var reading = file.reading(colors, channels: samples)
      reading.workingBytes = 50_000
      reading.run()

      let level = [UInt8](repeating: 7, count: 65_536 * samples)
      #expect(reading.status == .done && reading.rows == [level], "\(samples): \(reading.message)")
    }
  }

  @Test("Other rows take the memory of a row, of all planes of a strip, or of a row of tiles, and no more")
  func memory() {
    var planes = TIFFFile(width: 2_000, height: 7, colors: 2, colorSamples: 3)
    planes.isInPlanes = true
    // Its tile is as large as its rows.
    var tile = SmallTIFF(width: 8, height: 4_096, block: [UInt8](repeating: 0xA5, count: 4_096))
    (tile.entries[258], tile.entries[322], tile.entries[323]) = (1, 8, 4_096)
    (tile.entries[324], tile.entries[325]) = (tile.entries[273], tile.entries[279])
    for tag in [273, 278, 279] { tile.entries[tag] = nil }

    for (reading, bytes) in [
      (Self.runs(width: 65_536).reading(.invertedGray), 65_536), (TIFFReading(planes, .RGB), 18_000),
      (tile.reading(.gray), 4_096),
    ] {
      var reading = reading
      reading.workingBytes = Int64(bytes)
      #expect(reading.ran().status == .done)
      reading.workingBytes -= 1
      #expect(reading.ran().status == .tooMuchMemory, "\(bytes)")
    }
    // A tile that is wider than the picture.
    tile.entries[322] = 4_096
    (tile.entries[323], tile.entries[257]) = (16, 16)
    var reading = tile.reading(.gray)
    reading.workingBytes = 8_191
    #expect(reading.ran().status == .tooMuchMemory)
    reading.workingBytes = 8_192
    #expect(reading.ran().status != .tooMuchMemory)
  }

  @Test("A need of libtiff itself beyond the limit is too much memory, and the message says so")
  func libraryMemory() {
    var reading = SmallTIFF(width: 2, height: 1, block: [1, 2]).reading(.gray)
    reading.workingBytes = 100
    reading.run()
    #expect(reading.status == .tooMuchMemory && reading.message.contains("100 byte limit"))
    reading.workingBytes = 100_000
    #expect(reading.ran().rows == [[1, 2]])
  }

  @Test("A file that is not what its header was read as is corrupt")
  func mismatches() {
    let file = TIFFFile(width: 6, height: 4, bits: 16)
    let changes: [(String, (inout CodecTIFFFrame) -> Void)] = [
      ("two sizes", { $0.width = 5 }), ("two sizes", { $0.height = 3 }),
      ("libtiff gives no reason", { $0.bits = 8 }), ("libtiff gives no reason", { $0.samples = 2 }),
      ("libtiff gives no reason", { $0.isFloat = true }),
    ]
    for (index, (message, change)) in changes.enumerated() {
      var reading = TIFFReading(file, .gray)
      change(&reading.frame)
      reading.run()
      #expect(reading.status == .corrupt && reading.message == message, "\(index)")
      #expect(reading.rows.allSatisfy { $0.allSatisfy { $0 == 0xEE } }, "\(index)")
    }
    #expect(TIFFReading(file, .gray).ran().message == "")
  }

  @Test("Tiles that do not begin with a byte of their own are refused if two lie beside each other")
  func alignment() {
    var file = SmallTIFF(width: 10, height: 16, block: [UInt8](repeating: 0xFF, count: 32))
    (file.entries[258], file.entries[322], file.entries[323]) = (1, 10, 16)
    for tag in [273, 278, 279] { file.entries[tag] = nil }
    (file.entries[324], file.entries[325]) = (8, 32)

    let single = file.reading(.gray).ran()
    #expect(single.status == .done && single.rows == (0..<16).map { _ in [UInt8](repeating: 255, count: 10) })
    file.entries[256] = 11
    let split = file.reading(.gray).ran()
    #expect(split.status == .corrupt && split.message == "libtiff gives no reason")
  }

  @Test("Reading goes on row by row, and stops before any of them")
  func stops() {
    for (index, colors) in [CodecTIFFColors.gray, .invertedGray].enumerated() {
      for allowed in [0, 1, 6, 7] {
        var reading = TIFFReading(TIFFFile(colors: 1 - index), colors)
        reading.patience = Patience(allowed: allowed)
        reading.run()

        #expect(reading.status == (allowed < 7 ? .stopped : .done))
        #expect(reading.patience.asked == min(allowed + 1, 7))
        let written = reading.rows.map { $0.contains { $0 != 0xEE } }
        #expect(written == (0..<7).map { $0 < allowed }, "\(colors) \(allowed)")
      }
    }
  }

  @Test("A file that ends early is truncated, and shows the bands that were read in part unless it is strict")
  func truncation() {
    // The directory comes last in the file, so pixels are named that would come behind it.
    var strips = SmallTIFF(width: 16, height: 4, block: [UInt8](repeating: 100, count: 64))
    strips.entries[273] = 1_000
    for colors in [CodecTIFFColors.gray, .invertedGray] {
      #expect(strips.reading(colors).ran().status == .truncated)
    }

    var tiles = SmallTIFF(width: 16, height: 16, block: [UInt8](repeating: 100, count: 256))
    (tiles.entries[322], tiles.entries[323], tiles.entries[325]) = (16, 16, 256)
    for tag in [273, 278, 279] { tiles.entries[tag] = nil }
    for isStrict in [false, true] {
      tiles.entries[324] = 1_000
      var reading = tiles.reading(.gray)
      reading.isStrict = isStrict
      reading.run()
      #expect(reading.status == .truncated)
      #expect(reading.rows[15].allSatisfy { ($0 == 0xEE) == isStrict })
      tiles.entries[324] = 8
      reading = tiles.reading(.gray)
      reading.isStrict = isStrict
      #expect(reading.ran().rows[15] == [UInt8](repeating: 100, count: 16))
    }
  }

  @Test("A compression that libtiff does not have is unsupported, and named by its number")
  func compression() {
    var file = SmallTIFF(width: 2, height: 1, block: [1, 2])
    file.entries[259] = 60_000
    let reading = file.reading(.gray).ran()

    #expect(reading.status == .unsupported)
    #expect(reading.message == "TIFF with compression 60000, which this libtiff does not have")
  }

  #if canImport(Glibc)
    @Test(
      "The complaints of libtiff go into the message, the first one, and not to standard error",
      .enabled(if: !isSanitized, "a sanitizer writes there itself"))
    func quiet() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        // A tag of which libtiff warns, and a strip that ends before its row does.
        var file = TIFFLimitTests.runs(width: 256)
        (file.entries[60_001], file.block) = (1, [129, 7, 129])
        file.entries[279] = 3
        let reading = file.reading(.gray).ran()
        guard reading.status == .corrupt || reading.status == .truncated, reading.message != "" else {
          exit(2)
        }
      }
      #expect(result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } == "")
    }
  #endif
}
