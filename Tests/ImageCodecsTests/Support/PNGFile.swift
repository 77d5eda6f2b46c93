/// A PNG file written chunk by chunk, right or wrong.
struct PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private(set) var bytes = PNGFile.signature

  init(width: Int, height: Int, bitDepth: UInt8 = 8, color: UInt8 = 2, interlace: UInt8 = 0) {
    append("IHDR", big(width, count: 4) + big(height, count: 4) + [bitDepth, color, 0, 0, interlace])
  }

  mutating func append(_ type: String, _ payload: [UInt8], crcError: UInt32 = 0) {
    let checked = Array(type.utf8) + payload
    bytes += big(payload.count, count: 4) + checked + big(Int(Checksum.crc(checked) ^ crcError), count: 4)
  }

  /// Image data: rows as they are, each behind a zero that says "not filtered".
  mutating func append(rows: [[UInt8]]) { append("IDAT", Deflate.stored(rows.flatMap { [0] + $0 })) }

  mutating func end() { append("IEND", []) }

  /// The whole file around image data.
  static func file(
    _ width: Int, _ height: Int, bitDepth: UInt8 = 8, color: UInt8, before: [(String, [UInt8])] = [],
    rows: [[UInt8]]
  ) -> [UInt8] {
    var file = PNGFile(width: width, height: height, bitDepth: bitDepth, color: color)
    for (type, payload) in before { file.append(type, payload) }
    file.append(rows: rows)
    file.end()
    return file.bytes
  }

  /// A gray image in the seven passes of Adam7.
  static func interlaced(_ pixels: [[UInt8]]) -> [UInt8] {
    let height = pixels.count
    let width = pixels[0].count
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
    var data: [UInt8] = []
    for (left, top, across, down) in passes where left < width {
      for y in stride(from: top, to: height, by: down) {
        data.append(0)
        data += stride(from: left, to: width, by: across).map { pixels[y][$0] }
      }
    }
    var file = PNGFile(width: width, height: height, color: 0, interlace: 1)
    file.append("IDAT", Deflate.stored(data))
    file.end()
    return file.bytes
  }
}

enum Checksum {
  static func crc(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = ~0
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
    }
    return ~remainder
  }

  static func adler(_ bytes: [UInt8]) -> Int {
    var low = 1
    var high = 0
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

enum Deflate {
  /// A zlib stream that compresses nothing.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      let isLast: UInt8 = rest.isEmpty ? 1 : 0
      result += [isLast] + little(block.count, count: 2) + little(~block.count, count: 2) + block
    } while !rest.isEmpty
    return result + big(Checksum.adler(bytes), count: 4)
  }

  /// Zeros at 158 to 1: one literal, then copies of 258 bytes each.
  static func bomb(ofZeros count: Int) -> [UInt8] {
    var bits = BitsFromLow()
    bits.append(0b011, count: 3)
    bits.append(reversed: 0x30, count: 8)
    let copies = (count - 1) / 258
    for _ in 0..<copies {
      bits.append(reversed: 0b1100_0101, count: 8)
      bits.append(0, count: 5)
    }
    bits.append(0, count: 7)
    // The sum of zeros: high grows by one a byte.
    let zeros = copies * 258 + 1
    return [0x78, 0x01] + bits.bytes + big((zeros % 65_521) << 16 | 1, count: 4)
  }
}

private struct BitsFromLow {
  private var current = 0
  private var used = 0
  private(set) var whole: [UInt8] = []

  var bytes: [UInt8] { used > 0 ? whole + [UInt8(truncatingIfNeeded: current)] : whole }

  mutating func append(_ value: Int, count: Int) {
    current |= value << used
    used += count
    while used >= 8 {
      whole.append(UInt8(truncatingIfNeeded: current))
      current >>= 8
      used -= 8
    }
  }

  mutating func append(reversed value: Int, count: Int) {
    append((0..<count).reduce(0) { $0 | (value >> $1 & 1) << (count - 1 - $1) }, count: count)
  }
}
