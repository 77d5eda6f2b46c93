package import Foundation

/// Writes gzip data without a library.
package enum Gzip {
  /// The bytes in uncompressed blocks.
  package static func stored(_ bytes: Data) -> Data {
    var deflated: [UInt8] = []
    let whole = Array(bytes)
    var start = 0
    repeat {
      let count = min(0xFFFF, whole.count - start)
      let isLast = start + count == whole.count
      deflated += [isLast ? 1 : 0] + littleEndian(UInt16(count)) + littleEndian(~UInt16(count))
      deflated += whole[start..<(start + count)]
      start += count
    } while start < whole.count
    return wrapped(deflated, checksum: CRC32.of(whole), count: whole.count)
  }

  /// A decompression bomb: zeros at about 1/158 of their size.
  ///
  /// Each repeat of 258 bytes takes 13 bits: length code 285 and distance code 0.
  package static func zeros(_ count: Int) -> Data {
    var bits = BitWriter()
    bits.write(0b1, count: 1)
    bits.write(0b01, count: 2)
    let repeats = max(0, (count - 1) / 258)
    for _ in 0..<max(0, count - repeats * 258) { bits.writeCode(0b0011_0000, count: 8) }
    for _ in 0..<repeats {
      bits.writeCode(0b1100_0101, count: 8)
      bits.writeCode(0, count: 5)
    }
    bits.writeCode(0, count: 7)
    return wrapped(bits.bytes, checksum: CRC32.ofZeros(count), count: count)
  }

  private static func wrapped(_ deflated: [UInt8], checksum: UInt32, count: Int) -> Data {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    let tail = littleEndian(checksum) + littleEndian(UInt32(truncatingIfNeeded: count))
    return Data(head + deflated + tail)
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// Writes bits from the least significant one, and codes from their most significant bit, as deflate requires.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  mutating func write(_ bits: UInt32, count: Int) {
    for position in 0..<count {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= UInt8(truncatingIfNeeded: (bits >> UInt32(position)) & 1) << UInt8(used)
      used += 1
    }
  }

  mutating func writeCode(_ code: UInt32, count: Int) {
    for position in (0..<count).reversed() { write(code >> UInt32(position), count: 1) }
  }
}

private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { rest, byte in table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ (rest >> 8) }
  }

  static func ofZeros(_ count: Int) -> UInt32 {
    let table = table
    var rest: UInt32 = ~0
    for _ in 0..<count { rest = table[Int(rest & 0xFF)] ^ (rest >> 8) }
    return ~rest
  }
}
