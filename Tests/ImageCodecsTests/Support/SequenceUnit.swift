/// The unit of an HEVC stream with the size of its pictures, written bit by bit (ITU-T H.265, 7.3.2.2).
struct SequenceUnit {
  var type = 33
  /// Whether profile and level of each layer but the last are written.
  var layers: [(hasProfile: Bool, hasLevel: Bool)] = []
  var number = 0
  var chroma = 1
  var width = 64
  var height = 64
  /// The samples that are not shown, at the left, right, top and bottom.
  var window: [Int]?

  /// With the bytes that keep the content from looking like a start code.
  var bytes: [UInt8] {
    var result: [UInt8] = [], zeros = 0
    for byte in plain {
      if zeros == 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return result
  }

  private var plain: [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
    }
    func append(_ value: Int) {
      let zeros = Int.bitWidth - 1 - (value + 1).leadingZeroBitCount
      append(0, zeros)
      append(value + 1, zeros + 1)
    }
    // What is skipped has no regular pattern, so that a reader at a wrong place finds other numbers.
    func fill(_ count: Int) { bits += (0..<count).map { $0 * $0 % 7 < 3 } }

    append(type, 7)
    append(1, 9)
    append(0, 4)
    append(layers.count, 3)
    append(1, 1)
    fill(96)
    for layer in layers {
      append(layer.hasProfile ? 1 : 0, 1)
      append(layer.hasLevel ? 1 : 0, 1)
    }
    if !layers.isEmpty { fill((8 - layers.count) * 2) }
    for layer in layers { fill((layer.hasProfile ? 88 : 0) + (layer.hasLevel ? 8 : 0)) }
    append(number)
    append(chroma)
    if chroma == 3 { append(0, 1) }
    append(width)
    append(height)
    append(window == nil ? 0 : 1, 1)
    for offset in window ?? [] { append(offset) }
    bits += [true] + [Bool](repeating: false, count: (7 - bits.count % 8 + 8) % 8)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
  }
}
