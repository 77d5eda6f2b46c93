import ImageCodecs
import Testing

/// A JPEG of any size and sampling, of blocks with a few coefficients at random.
struct SampledJPEG {
  /// Columns and rows of blocks that a component has in each unit of blocks.
  struct Sampling: Sendable, CustomTestStringConvertible {
    var name: String
    var components: [(across: Int, down: Int)]

    var testDescription: String { name }
  }

  static let samplings = [
    Sampling(name: "gray", components: [(1, 1)]),
    Sampling(name: "4:4:4", components: [(1, 1), (1, 1), (1, 1)]),
    Sampling(name: "4:2:2", components: [(2, 1), (1, 1), (1, 1)]),
    Sampling(name: "4:4:0", components: [(1, 2), (1, 1), (1, 1)]),
    Sampling(name: "4:2:0", components: [(2, 2), (1, 1), (1, 1)]),
    Sampling(name: "4:1:1", components: [(4, 1), (1, 1), (1, 1)]),
    Sampling(name: "4:1:0", components: [(4, 2), (1, 1), (1, 1)]),
  ]

  static func bytes(_ size: PixelSize, _ sampling: Sampling) -> [UInt8] {
    let components = sampling.components
    var frame = [8] + big(size.height, count: 2) + big(size.width, count: 2) + [UInt8(components.count)]
    var scan = [UInt8(components.count)]
    for (index, component) in components.enumerated() {
      frame += [UInt8(index + 1), UInt8(component.across << 4 | component.down), 0]
      scan += [UInt8(index + 1), 0]
    }
    // Twelve codes of four bits for the first coefficients, seven of three bits for the others.
    let first: [UInt8] = [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12)
    let others: [UInt8] = [0x10, 0, 0, 7] + [UInt8](repeating: 0, count: 13) + Array(0..<7)
    var file: [UInt8] = [0xFF, 0xD8]
    file += JPEGFile.segment(0xDB, [0] + [UInt8](repeating: 3, count: 64))
    for (marker, payload) in [(0xC0, frame), (0xC4, first), (0xC4, others), (0xDA, scan + [0, 63, 0])] {
      file += JPEGFile.segment(UInt8(marker), payload)
    }
    file += blocks(size, sampling)
    return file + [0xFF, 0xD9]
  }

  private static func blocks(_ size: PixelSize, _ sampling: Sampling) -> [UInt8] {
    // A single component has no units of several blocks.
    let components = sampling.components
    let across: Int = 8 * (components.map(\.across).max() ?? 1)
    let down: Int = 8 * (components.map(\.down).max() ?? 1)
    let columns = (size.width + across - 1) / across
    let units = columns * ((size.height + down - 1) / down)
    var random = SeededRandom(seed: UInt64(size.width * 64 + size.height))
    var bits = EntropyBits()
    var levels = [Int](repeating: 0, count: components.count)
    for _ in 0..<units {
      for (index, component) in components.enumerated() {
        for _ in 0..<component.across * component.down {
          let level = random.below(401) - 200
          bits.append(level - levels[index], lengthBits: 4)
          levels[index] = level
          for _ in 0..<random.below(6) {
            let size = 1 + random.below(40)
            bits.append(random.below(2) == 0 ? size : -size, lengthBits: 3)
          }
          bits.append(0, lengthBits: 3)
        }
      }
    }
    return bits.bytes
  }
}

/// Numbers behind their lengths, with a zero behind every byte that looks like a marker.
struct EntropyBits {
  private var bits: [UInt8] = []

  mutating func append(_ value: Int, lengthBits: Int) {
    let length = Int.bitWidth - abs(value).leadingZeroBitCount
    let code = value < 0 ? value + (1 << length) - 1 : value
    bits += (0..<lengthBits).reversed().map { UInt8(length >> $0 & 1) }
    bits += (0..<length).reversed().map { UInt8(code >> $0 & 1) }
  }

  var bytes: [UInt8] {
    let padded = bits + [UInt8](repeating: 1, count: (8 - bits.count % 8) % 8)
    return stride(from: 0, to: padded.count, by: 8).flatMap { start -> [UInt8] in
      let byte = padded[start..<start + 8].reduce(0) { $0 << 1 | $1 }
      return byte == 0xFF ? [0xFF, 0x00] : [byte]
    }
  }
}
