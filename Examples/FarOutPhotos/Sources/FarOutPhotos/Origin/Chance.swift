/// Numbers that look like chance, and are the same each time.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0xD1B5_4A32_D192_ED03 }

  /// From 0 to 1.
  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.unit(state)
  }

  /// The number at a place of a grid; from 0 to 1.
  static func at(_ x: Int, _ y: Int, seed: Int) -> Double {
    unit(
      UInt64(truncatingIfNeeded: x) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(truncatingIfNeeded: y)
        &* 0xC2B2_AE3D_27D4_EB4F &+ UInt64(truncatingIfNeeded: seed) &* 0x1656_67B1_9E37_79F9)
  }

  /// Hills between the numbers of a grid, with smaller hills on them; about 0 to 1.
  static func hills(_ x: Double, _ y: Double, seed: Int, octaves: Int = 4) -> Double {
    var (sum, height, x, y) = (0.0, 0.5, x, y)
    for octave in 0..<octaves {
      sum += height * smooth(x, y, seed: seed &+ octave)
      (height, x, y) = (height / 2, x * 2.03, y * 2.03)
    }
    return sum
  }

  private static func smooth(_ x: Double, _ y: Double, seed: Int) -> Double {
    let (column, row) = (x.rounded(.down), y.rounded(.down))
    let (across, down) = (ease(x - column), ease(y - row))
    let (left, top) = (Int(column), Int(row))
    let upper = mix(at(left, top, seed: seed), at(left + 1, top, seed: seed), across)
    let lower = mix(at(left, top + 1, seed: seed), at(left + 1, top + 1, seed: seed), across)
    return mix(upper, lower, down)
  }

  private static func ease(_ part: Double) -> Double { part * part * (3 - 2 * part) }

  private static func mix(_ first: Double, _ second: Double, _ part: Double) -> Double {
    first + (second - first) * part
  }

  private static func unit(_ seed: UInt64) -> Double {
    var word = seed
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((word ^ (word >> 31)) >> 11) / Double(1 << 53)
  }
}
