extension ThumbHash {
  /// A color as brightness, yellow against blue, and red against green.
  struct Opponent {
    var luma: Double
    var yellow: Double
    var red: Double

    init(luma: Double, yellow: Double, red: Double) {
      (self.luma, self.yellow, self.red) = (luma, yellow, red)
    }

    /// Of red, green and blue from 0 to 1.
    init(_ color: SIMD3<Double>) {
      self.init(luma: color.sum() / 3, yellow: (color.x + color.y) / 2 - color.z, red: color.x - color.y)
    }

    func pixel(alpha: Double, _ rule: FloatingPointRoundingRule) -> Image.Pixel {
      let blue = luma - yellow * 2 / 3
      let red = (3 * luma - blue + self.red) / 2
      let sample = { (value: Double) in UInt8((min(max(value, 0), 1) * 255).rounded(rule)) }
      return Image.Pixel(
        red: sample(red), green: sample(red - self.red), blue: sample(blue), alpha: sample(alpha))
    }
  }

  /// The waves of a channel: those across, and in each row below fewer of them.
  struct WaveGrid {
    let columns: Int
    let rows: Int

    static let colors = WaveGrid(columns: 3, rows: 3)
    static let alpha = WaveGrid(columns: 5, rows: 5)

    /// All but the average.
    var positions: [CosineTransform.Position] {
      (0..<rows).flatMap { row in
        (0..<columns).prefix { $0 * rows < columns * (rows - row) }.map { (column: $0, row: row) }
      }.filter { $0.column > 0 || $0.row > 0 }
    }
  }

  struct Wave {
    let column: Int
    let row: Int
    let amount: Double
  }

  /// The first bytes: averages, and the largest amount of a wave in each channel.
  struct Header {
    let average: Opponent
    let lumaScale: Double
    let yellowScale: Double
    let redScale: Double
    let hasAlpha: Bool
    /// The proportions of the image.
    let columns: Int
    let rows: Int

    init(_ bytes: [UInt8]) throws(ImageCodecError) {
      guard bytes.count >= 5 else { throw .truncated }
      let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
      let second = Int(bytes[3]) | Int(bytes[4]) << 8
      average = Opponent(
        luma: Double(first & 63) / 63, yellow: Double(first >> 6 & 63) / 31.5 - 1,
        red: Double(first >> 12 & 63) / 31.5 - 1)
      lumaScale = Double(first >> 18 & 31) / 31
      hasAlpha = first >> 23 != 0
      yellowScale = Double(second >> 3 & 63) / 63
      redScale = Double(second >> 9 & 63) / 63
      let (longer, shorter) = (hasAlpha ? 5 : 7, second & 7)
      guard shorter > 0 else { throw .corrupt("a placeholder without a size") }
      (columns, rows) = second >> 15 != 0 ? (longer, shorter) : (shorter, longer)
    }

    var lumaWaves: WaveGrid { WaveGrid(columns: max(3, columns), rows: max(3, rows)) }

    var byteCount: Int {
      let colors = WaveGrid.colors.positions.count * 2
      let alpha = hasAlpha ? WaveGrid.alpha.positions.count : 0
      return (hasAlpha ? 6 : 5) + (lumaWaves.positions.count + colors + alpha + 1) / 2
    }
  }

  /// The amounts of waves, two in a byte.
  struct Nibbles {
    private let bytes: ArraySlice<UInt8>
    private var position = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    mutating func waves(_ grid: WaveGrid, scale: Double) -> [Wave] {
      grid.positions.map { column, row in
        let byte = bytes[bytes.startIndex + position / 2]
        let digit = position.isMultiple(of: 2) ? byte & 15 : byte >> 4
        position += 1
        return Wave(column: column, row: row, amount: (Double(digit) / 7.5 - 1) * scale)
      }
    }
  }
}
