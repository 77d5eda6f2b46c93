/// A TIFF written by hand, of samples from 0 to 1.
struct TIFFFile {
  enum Format: Int, CaseIterable {
    case unsigned = 1, signed, float, undefined
  }

  enum Arrangement: CaseIterable {
    /// Strips of three rows, and all rows in one; tiles of 16 × 16.
    case strips, strip, tiles
  }

  var width = 9
  var height = 7
  /// The photometric interpretation.
  var colors = 1
  var colorSamples = 1
  var bits = 8
  var format = Format.unsigned
  /// The kinds of the samples behind the colors; `nil` for one sample of which nothing is said.
  var extras: [Int]? = []
  var isInPlanes = false
  /// 1, or 8 (Deflate).
  var compression = 1
  var predictor = 1
  var isBigEndian = false
  var isLarge = false
  var arrangement = Arrangement.strips
  var palette: [[Int]] = []
  /// Whether the palette comes before everything else, which the specification does not allow.
  var putsPaletteFirst = false
  var profile: [UInt8] = []
  /// Column, row and sample to a number from 0 to 1.
  var value: (Int, Int, Int) -> Double = TIFFFile.pattern

  static func pattern(_ x: Int, _ y: Int, _ sample: Int) -> Double {
    let number: Int = x * 37 + y * 59 + sample * 101 + 11
    return Double(number % 97) / 96
  }

  var samples: Int { colorSamples + (extras?.count ?? 1) }

  /// The largest integer of a sample.
  var most: Double { Double(UInt64.max >> UInt64(64 - bits)) }

  /// The value as the file has it.
  func stored(_ x: Int, _ y: Int, _ sample: Int) -> Double {
    let value = value(x, y, sample)
    return format == .float ? value : (value * most).rounded() / most
  }

  var bytes: [UInt8] {
    let parts = blocks.map { compression == 8 ? Deflate.stored($0) : $0 }
    let header = Array((isBigEndian ? "MM" : "II").utf8) + number(isLarge ? 43 : 42, 2)
    var file = header + (isLarge ? number(8, 2) + number(0, 2) : [])
    let start = file.count + wide
    var data: [UInt8] = []
    var offsets: [Int] = []
    for part in parts {
      offsets.append(start + data.count)
      data += part + (part.count % 2 == 1 ? [0] : [])
    }
    let (directory, more) = entries(offsets, parts.map(\.count), from: start + data.count)
    file += number(start + data.count + more.count, wide) + data + more
    return file + number(directory.count, isLarge ? 8 : 2) + directory.flatMap { $0 } + number(0, wide)
  }

  /// The size of counts and offsets.
  private var wide: Int { isLarge ? 8 : 4 }

  private func number(_ value: Int, _ count: Int) -> [UInt8] {
    isBigEndian ? big(value, count: count) : little(value, count: count)
  }

  /// The entries, and what is too long for them.
  private func entries(
    _ offsets: [Int], _ lengths: [Int], from start: Int
  ) -> (entries: [[UInt8]], more: [UInt8]) {
    var tags: [(tag: Int, type: Int, values: [Int])] = [
      (256, 4, [width]), (257, 4, [height]), (258, 3, Array(repeating: bits, count: samples)),
      (259, 3, [compression]), (262, 3, [colors]), (277, 3, [samples]), (284, 3, [isInPlanes ? 2 : 1]),
      (339, 3, Array(repeating: format.rawValue, count: samples)),
    ]
    if predictor != 1 { tags.append((317, 3, [predictor])) }
    if let extras, !extras.isEmpty { tags.append((338, 3, extras)) }
    if !palette.isEmpty {
      let levels = [0, 1, 2].flatMap { (channel: Int) -> [Int] in palette.map { entry in entry[channel] } }
      tags.append((320, 3, levels))
    }
    if !profile.isEmpty { tags.append((34_675, 7, profile.map(Int.init))) }
    if arrangement == .tiles {
      tags += [(322, 4, [16]), (323, 4, [16]), (324, isLarge ? 16 : 4, offsets), (325, 4, lengths)]
    } else {
      tags += [
        (278, 4, [arrangement == .strip ? height : 3]), (273, isLarge ? 16 : 4, offsets), (279, 4, lengths),
      ]
    }
    var more: [UInt8] = []
    let sizes = [3: 2, 4: 4, 7: 1, 16: 8]
    tags.sort { left, right in
      if putsPaletteFirst, left.tag == 320 || right.tag == 320 { return left.tag == 320 && right.tag != 320 }
      return left.tag < right.tag
    }
    let entries = tags.map { tag, type, values -> [UInt8] in
      let size = sizes[type] ?? 1
      var content = values.flatMap { value -> [UInt8] in number(value, size) }
      if content.count > wide {
        let offset = start + more.count
        more += content + (content.count % 2 == 1 ? [0] : [])
        content = number(offset, wide)
      }
      content += [UInt8](repeating: 0, count: wide - content.count)
      return number(tag, 2) + number(type, 2) + number(values.count, wide) + content
    }
    return (entries, more)
  }

  private var blocks: [[UInt8]] {
    let planes = isInPlanes ? (0..<samples).map { [$0] } : [Array(0..<samples)]
    return planes.flatMap { plane -> [[UInt8]] in
      switch arrangement {
      case .strip: [block(plane, columns: 0..<width, rows: 0..<height)]
      case .strips:
        stride(from: 0, to: height, by: 3).map { row in
          block(plane, columns: 0..<width, rows: row..<min(row + 3, height))
        }
      case .tiles:
        stride(from: 0, to: height, by: 16).flatMap { row in
          stride(from: 0, to: width, by: 16).map { column in
            block(plane, columns: column..<column + 16, rows: row..<row + 16)
          }
        }
      }
    }
  }

  private func block(_ plane: [Int], columns: Range<Int>, rows: Range<Int>) -> [UInt8] {
    rows.flatMap { y -> [UInt8] in
      var codes = columns.flatMap { x in
        plane.map { sample in x < width && y < height ? code(value(x, y, sample)) : 0 }
      }
      if predictor == 2 {
        for index in codes.indices.reversed() where index >= plane.count {
          let difference: UInt64 = codes[index] &- codes[index - plane.count]
          codes[index] = difference & (UInt64.max >> UInt64(64 - bits))
        }
      }
      if predictor == 3 { return predictedFloats(codes, step: plane.count) }
      return packed(codes)
    }
  }

  /// The bits of a sample.
  private func code(_ value: Double) -> UInt64 {
    switch (format, bits) {
    case (.float, 64): value.bitPattern
    case (.float, 32): UInt64(Float(value).bitPattern)
    case (.float, 16): TIFFFile.half(value)
    default: value >= 1 ? UInt64.max >> UInt64(64 - bits) : UInt64((value * most).rounded())
    }
  }

  /// A number from 0 to 1 in 16 bits.
  static func half(_ value: Double) -> UInt64 {
    guard value >= 1.0 / 16_384 else { return UInt64((value * 16_777_216).rounded()) }
    var exponent = 15
    var rest = value
    while rest < 1 {
      rest *= 2
      exponent -= 1
    }
    return UInt64(exponent) << 10 + UInt64(((rest - 1) * 1_024).rounded())
  }

  private func packed(_ codes: [UInt64]) -> [UInt8] {
    if bits % 8 == 0 {
      return codes.flatMap { code -> [UInt8] in number(Int(truncatingIfNeeded: code), bits / 8) }
    }
    var all: [UInt8] = []
    for code in codes {
      for place in (0..<bits).reversed() { all.append(UInt8(truncatingIfNeeded: code >> UInt64(place)) & 1) }
    }
    while all.count % 8 != 0 { all.append(0) }
    return stride(from: 0, to: all.count, by: 8).map { start in
      all[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// The highest bytes of all samples first, each as the difference from the one before.
  private func predictedFloats(_ codes: [UInt64], step: Int) -> [UInt8] {
    let bytes = (0..<bits / 8).reversed().flatMap { place -> [UInt8] in
      codes.map { code in UInt8(truncatingIfNeeded: code >> UInt64(place * 8)) }
    }
    return bytes.indices.map { $0 < step ? bytes[$0] : bytes[$0] &- bytes[$0 - step] }
  }
}
