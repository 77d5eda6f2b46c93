/// The header of a JPEG XL code stream, put together bit by bit.
struct JPEGXLStream {
  private var bits: [Bool] = []

  /// With the signature.
  init() { write(0x0AFF, 16) }

  mutating func write(_ value: Int, _ count: Int) {
    for bit in 0..<count { bits.append(value >> bit & 1 == 1) }
  }

  /// A number in the shortest form of those that the standard allows for a side.
  private mutating func writeSide(_ side: Int) {
    let widths = [9, 13, 18, 30]
    let choice = widths.firstIndex { side - 1 < 1 << $0 } ?? 3
    write(choice, 2)
    write(side - 1, widths[choice])
  }

  mutating func writeSize(_ width: Int, _ height: Int) {
    let (isNotSmall, isNoRatio) = (0, 0)
    write(isNotSmall, 1)
    writeSide(height)
    write(isNoRatio, 3)
    writeSide(width)
  }

  /// The header of an image, up to its first channel beyond colors.
  static func header(
    _ width: Int, _ height: Int, extraFields: ((inout JPEGXLStream) -> Void)? = nil, channels: Int
  ) -> JPEGXLStream {
    var stream = JPEGXLStream()
    stream.writeSize(width, height)
    let (isNotDefault, isInteger, eightBits, isNarrow) = (0, 0, 0, 1)
    stream.write(isNotDefault, 1)
    stream.write(extraFields == nil ? 0 : 1, 1)
    extraFields?(&stream)
    stream.write(isInteger, 1)
    stream.write(eightBits, 2)
    stream.write(isNarrow, 1)
    switch channels {
    case 0, 1: stream.write(channels, 2)
    case 2...17:
      stream.write(2, 2)
      stream.write(channels - 2, 4)
    default:
      stream.write(3, 2)
      stream.write(channels - 1, 12)
    }
    return stream
  }

  /// A channel of a kind, with a name of this length.
  mutating func writeChannel(_ kind: Int, nameLength: Int = 0) {
    let isNotDefault = 0
    write(isNotDefault, 1)
    if kind < 2 {
      write(kind, 2)
    } else {
      write(2, 2)
      write(kind - 2, 4)
    }
    // Integers of eight bits, not reduced.
    write(0, 3)
    write(0, 2)
    if nameLength == 0 {
      write(0, 2)
    } else {
      write(3, 2)
      write(nameLength - 48, 10)
      for _ in 0..<nameLength { write(0x61, 8) }
    }
  }

  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(start + 8, bits.count)].enumerated().reduce(UInt8(0)) {
        $0 | ($1.element ? 1 : 0) << UInt8($1.offset)
      }
    }
  }

  static let container: [UInt8] = [0, 0, 0, 12] + Array("JXL ".utf8) + [13, 10, 0x87, 10]

  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 8, count: 4) + Array(type.utf8) + payload
  }

  /// A file of boxes.
  static func file(_ boxes: [(type: String, payload: [UInt8])]) -> [UInt8] {
    container + box("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0] + Array("jxl ".utf8))
      + boxes.flatMap { box($0.type, $0.payload) }
  }
}
