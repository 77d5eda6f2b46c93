import CCodecs
import Testing

@Suite("TIFF, read in C")
struct TIFFReadingTests {
  /// A row of samples that have been read, of 16 bits.
  private static func expected(_ file: TIFFFile, row: Int, samples: [Int]) -> [UInt16] {
    let most = UInt64(file.most)
    return (0..<file.width).flatMap { x -> [UInt16] in
      samples.map { sample in
        let code = UInt64((file.value(x, row, sample) * file.most).rounded())
        return UInt16((code * 65_535 + most / 2) / most)
      }
    }
  }

  private static func check(
    _ file: TIFFFile, _ colors: CodecTIFFColors, alpha: Int? = nil, samples: [Int], _ name: String
  ) {
    for isWide in [false, true] {
      let reading = TIFFReading(file, colors, alpha: alpha, isWide: isWide).ran()
      let rows = (0..<file.height).map { row -> [UInt8] in
        let samples = expected(file, row: row, samples: samples)
        return isWide ? raw(samples) : samples.map { UInt8((UInt32($0) + 128) / 257) }
      }
      #expect(reading.status == .done && reading.rows == rows, "\(name), wide: \(isWide)")
    }
  }

  @Test(
    "Strips and tiles give the same rows, whether samples lie together or in planes",
    arguments: [1, 4, 8, 12, 16])
  func layouts(bits: Int) {
    for arrangement in TIFFFile.Arrangement.allCases {
      for isInPlanes in [false, true] {
        // Three tiles beside each other and two below each other, the last ones in part.
        var file = TIFFFile(width: 35, height: 19, bits: bits, isInPlanes: isInPlanes)
        file.arrangement = arrangement
        let name = "\(arrangement) \(isInPlanes)"
        Self.check(file, .gray, samples: [0], "gray, \(name)")
        (file.colors, file.colorSamples) = (2, 3)
        Self.check(file, .RGB, samples: [0, 1, 2], "RGB, \(name)")
        file.extras = [2]
        Self.check(file, .RGB, alpha: 3, samples: [0, 1, 2, 3], "RGBA, \(name)")
        // Samples behind alpha have no meaning.
        file.extras = [2, 0]
        Self.check(file, .RGB, alpha: 3, samples: [0, 1, 2, 3], "five samples, \(name)")
        file.extras = [0]
        Self.check(file, .RGB, samples: [0, 1, 2], "four samples, \(name)")
      }
    }
  }

  @Test("A picture of one byte is read")
  func smallest() {
    var file = TIFFFile(width: 1, height: 1)
    file.value = { _, _, _ in 0.5 }

    #expect(TIFFReading(file, .gray).ran().rows == [[128]])
  }

  @Test("CIELab with alpha has the colors of its pixels, and alpha behind them", arguments: [8, 16])
  func labAlpha(bits: Int) {
    var file = TIFFFile(width: 5, height: 2, colors: 8, colorSamples: 3, bits: bits)
    file.extras = [2]
    // White and black in turn.
    file.value = { x, y, sample in
      sample == 0 ? Double((x + y + 1) % 2) : sample < 3 ? 0 : Double(x + y * 5) / 10
    }
    let alphas = (0..<2).map { Self.expected(file, row: $0, samples: [3]) }

    let wide = TIFFReading(file, .lab, alpha: 3, isWide: true).ran()
    let narrow = TIFFReading(file, .lab, alpha: 3).ran()

    #expect(wide.status == .done && narrow.status == .done)
    for (y, row) in wide.rows.enumerated() {
      let samples = stride(from: 0, to: row.count, by: 2).map { UInt16(row[$0]) | UInt16(row[$0 + 1]) << 8 }
      for x in 0..<5 {
        let isWhite = (x + y).isMultiple(of: 2), pixel = samples[x * 4..<x * 4 + 4]
        #expect(pixel.prefix(3).allSatisfy { isWhite ? $0 > 65_000 : $0 < 500 }, "\(x), \(y): \(pixel)")
        #expect(pixel.last == alphas[y][x], "\(x), \(y)")
        let small = narrow.rows[y][x * 4..<x * 4 + 4]
        #expect(small.prefix(3).allSatisfy { isWhite ? $0 >= 254 : $0 < 2 }, "\(x), \(y): \(small)")
        #expect(small.last == UInt8((UInt32(alphas[y][x]) + 128) / 257))
      }
    }
  }

  @Test("Inks with alpha keep their alpha, and are divided by it if they were multiplied", arguments: [1, 2])
  func inkAlpha(kind: Int) {
    var file = TIFFFile(width: 4, height: 1, colors: 5, colorSamples: 4)
    file.extras = [kind]
    file.value = { x, _, sample in sample == 4 ? Double(x + 1) / 5 : sample == 3 ? 0 : 0.2 }
    var reading = TIFFReading(file, .inks, alpha: 4)
    reading.frame.isMultiplied = kind == 1
    reading.run()

    let row = (0..<4).flatMap { x -> [UInt8] in
      let ink = kind == 1 ? UInt8((255.0 / Double(x + 1)).rounded()) : 51
      return [255 - ink, 255 - ink, 255 - ink, UInt8((x + 1) * 51)]
    }
    #expect(reading.status == .done && zip(reading.rows[0], row).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }
}
