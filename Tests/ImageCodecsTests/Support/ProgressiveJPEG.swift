import ImageCodecs

/// A progressive JPEG of any size and sampling: a scan of the first coefficients, and for each component one of those from 1 to
/// 5, and one of the others.
struct ProgressiveJPEG {
  let size: PixelSize
  let sampling: SampledJPEG.Sampling
  /// How many coefficients a block has behind the first one, at most.
  var most = 5
  /// Whether the scans of a component follow each other, or those of all components from 1 to 5 come first.
  var isByComponent = true
  /// The multiple of which coefficients are stored.
  var step: UInt8 = 3

  /// Where the scans begin, and the end.
  private(set) var scans: [Int] = []
  private(set) var bytes: [UInt8] = []

  private var most8: (across: Int, down: Int) {
    (8 * (sampling.components.map(\.across).max() ?? 1), 8 * (sampling.components.map(\.down).max() ?? 1))
  }

  private var units: (across: Int, down: Int) {
    ((size.width + most8.across - 1) / most8.across, (size.height + most8.down - 1) / most8.down)
  }

  init(
    _ size: PixelSize, _ sampling: SampledJPEG.Sampling, most: Int = 5, isByComponent: Bool = true,
    step: UInt8 = 3
  ) {
    (self.size, self.sampling, self.most, self.isByComponent, self.step) = (
      size, sampling, most, isByComponent, step
    )
    write()
  }

  private mutating func write() {
    let components = sampling.components
    var random = SeededRandom(seed: UInt64(size.width * 64 + size.height))
    // By component and place, all coefficients in the order of a scan, those at the end left out.
    var blocks: [[[Int]]] = []
    for component in components {
      let count = units.across * component.across * units.down * component.down
      blocks.append(
        (0..<count).map { _ -> [Int] in
          var block = [random.below(401) - 200]
          for _ in 0..<random.below(most + 1) {
            block.append((1 + random.below(40)) * (random.below(2) * 2 - 1))
          }
          return block
        })
    }
    var frame = [8] + big(size.height, count: 2) + big(size.width, count: 2) + [UInt8(components.count)]
    for (index, component) in components.enumerated() {
      frame += [UInt8(index + 1), UInt8(component.across << 4 | component.down), 0]
    }
    // As in `SampledJPEG`.
    let first: [UInt8] = [0, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12)
    let others: [UInt8] = [0x10, 0, 0, 7] + [UInt8](repeating: 0, count: 13) + Array(0..<7)
    bytes = [0xFF, 0xD8] + JPEGFile.segment(0xDB, [0] + [UInt8](repeating: step, count: 64))
    bytes += JPEGFile.segment(0xC2, frame) + JPEGFile.segment(0xC4, first) + JPEGFile.segment(0xC4, others)
    append(Array(components.indices), 0...0, firstCoefficients(blocks))
    let all = Array(components.indices), low = 1...5, high = 6...63
    let bands =
      isByComponent
      ? all.flatMap { [($0, low), ($0, high)] } : all.map { ($0, low) } + all.map { ($0, high) }
    for (component, band) in bands {
      append([component], band, otherCoefficients(blocks[component], component, band))
    }
    scans.append(bytes.count)
    bytes += [0xFF, 0xD9]
  }

  private mutating func append(_ components: [Int], _ band: ClosedRange<Int>, _ data: [UInt8]) {
    scans.append(bytes.count)
    let header: [UInt8] =
      components.flatMap { [UInt8($0 + 1), 0] } + [UInt8(band.lowerBound), UInt8(band.upperBound), 0]
    bytes += JPEGFile.segment(0xDA, [UInt8(components.count)] + header) + data
  }

  private func firstCoefficients(_ blocks: [[[Int]]]) -> [UInt8] {
    var bits = EntropyBits(), before = [Int](repeating: 0, count: blocks.count)
    for unit in 0..<units.across * units.down {
      for (index, component) in sampling.components.enumerated() {
        for place in 0..<component.across * component.down {
          let row = unit / units.across * component.down + place / component.across
          let column = unit % units.across * component.across + place % component.across
          let level = blocks[index][row * units.across * component.across + column][0]
          bits.append(level - before[index], lengthBits: 4)
          before[index] = level
        }
      }
    }
    return bits.bytes
  }

  /// Of the blocks that have pixels of the image, which are not always all of a unit.
  private func otherCoefficients(_ blocks: [[Int]], _ index: Int, _ band: ClosedRange<Int>) -> [UInt8] {
    let component = sampling.components[index]
    var bits = EntropyBits()
    for row in 0..<(size.height * component.down + most8.down - 1) / most8.down {
      for column in 0..<(size.width * component.across + most8.across - 1) / most8.across {
        let block = blocks[row * units.across * component.across + column]
        for coefficient in block.dropFirst(band.lowerBound).prefix(band.count) {
          bits.append(coefficient, lengthBits: 3)
        }
        if block.count <= band.upperBound { bits.append(0, lengthBits: 3) }
      }
    }
    return bits.bytes
  }
}
