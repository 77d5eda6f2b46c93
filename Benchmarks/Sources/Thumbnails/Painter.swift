/// Paints pictures with as much detail at each scale as photographs have, one row after the other.
struct Painter {
  private var light: [Octave]
  private var tints: [[Octave]]
  private let width: Int

  /// Another seed is another picture.
  init(width: Int, height: Int, seed: UInt64) {
    self.width = width
    let scales = sequence(first: 1_024) { $0 > 1 ? $0 / 2 : nil }.map { $0 }
    light = scales.enumerated().map { index, scale in
      Octave(scale: scale, width: width, weight: 64 * pow(0.74, index), seed: seed &+ UInt64(index))
    }
    tints = (1...2).map { tint in
      scales.prefix(6).enumerated().map { index, scale in
        Octave(
          scale: scale, width: width, weight: 26 * pow(0.7, index),
          seed: seed &* 31 &+ UInt64(tint * 97 + index))
      }
    }
  }

  /// Red, green and blue of one row; rows are asked for from the top.
  mutating func paint(_ y: Int, into row: UnsafeMutableRawBufferPointer) {
    var brightness = [Float](repeating: 128, count: width)
    var warmth = [Float](repeating: 0, count: width)
    var greenness = [Float](repeating: 0, count: width)
    for index in light.indices { light[index].add(y, to: &brightness) }
    for index in tints[0].indices {
      tints[0][index].add(y, to: &warmth)
      tints[1][index].add(y, to: &greenness)
    }
    for x in 0..<width {
      let (base, warm, green) = (brightness[x], warmth[x], greenness[x])
      row[x * 3] = level(base + warm)
      row[x * 3 + 1] = level(base + green / 2)
      row[x * 3 + 2] = level(base - warm - green / 2)
    }
  }

  private func level(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value))) }
}

/// Random values on a grid, and straight lines between them.
private struct Octave {
  private let scale: Int
  private let weight: Float
  private let seed: UInt64
  private var upper: [Float]
  private var lower: [Float]
  private var line = 0

  init(scale: Int, width: Int, weight: Float, seed: UInt64) {
    self.scale = scale
    self.weight = weight
    self.seed = seed
    let count = width / scale + 2
    upper = Octave.values(line: 0, count: count, seed)
    lower = Octave.values(line: 1, count: count, seed)
  }

  mutating func add(_ y: Int, to row: inout [Float]) {
    while y / scale > line {
      line += 1
      upper = lower
      lower = Octave.values(line: line + 1, count: upper.count, seed)
    }
    let share = Float(y % scale) / Float(scale)
    var start = (upper[0] + (lower[0] - upper[0]) * share) * weight
    for column in 0..<upper.count - 1 {
      let end = (upper[column + 1] + (lower[column + 1] - upper[column + 1]) * share) * weight
      let step = (end - start) / Float(scale)
      var value = start
      for x in column * scale..<min((column + 1) * scale, row.count) {
        row[x] += value
        value += step
      }
      start = end
    }
  }

  private static func values(line: Int, count: Int, _ seed: UInt64) -> [Float] {
    (0..<count).map { column in
      var mixed = (seed &+ UInt64(line) &* 0x9E37_79B9 &+ UInt64(column)) &* 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ mixed >> 31) &* 0xBF58_476D_1CE4_E5B9
      mixed ^= mixed >> 29
      return Float(mixed >> 40) / Float(1 << 23) - 1
    }
  }
}

private func pow(_ base: Float, _ exponent: Int) -> Float {
  (0..<exponent).reduce(1) { power, _ in power * base }
}
