/// Computes the bytes of a ``ThumbHash``.
struct ThumbHashEncoder {
  /// What one channel contains.
  private struct Channel {
    var average = 0.0
    /// The largest amount of a wave.
    var scale = 0.0
    var waves: [Double] = []

    init(_ plane: [Double], _ grid: ThumbHash.WaveGrid, _ size: PixelSize) {
      let transform = CosineTransform(
        width: size.width, height: size.height, columns: grid.columns, rows: grid.rows, offset: 0.5)
      let amounts = transform.amounts(of: [(column: 0, row: 0)] + grid.positions, in: plane)
      average = amounts[0]
      waves = Array(amounts.dropFirst())
      let largest = waves.map(abs).max() ?? 0
      // What is left by rounding is none.
      scale = largest < 1e-9 ? 0 : largest
    }

    /// Each wave as a number from 0 to 15.
    var digits: [Int] {
      waves.map { scale > 0 ? ((0.5 + 0.5 * $0 / scale) * 15).roundedInt : 0 }
    }
  }

  private(set) var bytes: [UInt8] = []

  /// The image is in RGBA.
  init(_ image: Image) {
    var (luma, yellow, red, alpha): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    image.withUnsafeBytes { pixels in
      let starts = stride(from: 0, to: pixels.count, by: 4)
      let color = { (start: Int) -> SIMD3<Double> in
        SIMD3<Double>(SIMD3(pixels[start], pixels[start + 1], pixels[start + 2])) / 255
      }
      let opacity = { (start: Int) in Double(pixels[start + 3]) / 255 }
      // Transparent pixels have the average color of the others.
      let opaque = starts.reduce(0) { $0 + opacity($1) }
      let sum = starts.reduce(SIMD3<Double>.zero) { $0 + color($1) * opacity($1) }
      let average = opaque > 0 ? sum / opaque : .zero
      for start in starts {
        let share = opacity(start)
        let opponent = ThumbHash.Opponent(average * (1 - share) + color(start) * share)
        luma.append(opponent.luma)
        yellow.append(opponent.yellow)
        red.append(opponent.red)
        alpha.append(share)
      }
    }
    write(image.size, luma, yellow, red, alpha)
  }

  private mutating func write(
    _ size: PixelSize, _ luma: [Double], _ yellow: [Double], _ red: [Double], _ alpha: [Double]
  ) {
    let hasAlpha = alpha.contains { $0 < 1 }
    let (longest, count) = (max(size.width, size.height), hasAlpha ? 5 : 7)
    let waves = { (side: Int) in max(1, (Double(count * side) / Double(longest)).roundedInt) }
    let (columns, rows) = (waves(size.width), waves(size.height))
    let luma = Channel(luma, ThumbHash.WaveGrid(columns: max(3, columns), rows: max(3, rows)), size)
    let yellow = Channel(yellow, .colors, size)
    let red = Channel(red, .colors, size)

    let isLandscape = size.width > size.height
    let first =
      (63 * luma.average).roundedInt | (31.5 + 31.5 * yellow.average).roundedInt << 6
      | (31.5 + 31.5 * red.average).roundedInt << 12 | (31 * luma.scale).roundedInt << 18
      | (hasAlpha ? 1 << 23 : 0)
    let second =
      (isLandscape ? rows : columns) | (63 * yellow.scale).roundedInt << 3
      | (63 * red.scale).roundedInt << 9 | (isLandscape ? 1 << 15 : 0)
    bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8(truncatingIfNeeded: $0) }
    var digits = luma.digits + yellow.digits + red.digits
    if hasAlpha {
      let alpha = Channel(alpha, .alpha, size)
      bytes.append(UInt8((15 * alpha.average).roundedInt | (15 * alpha.scale).roundedInt << 4))
      digits += alpha.digits
    }
    for start in stride(from: 0, to: digits.count, by: 2) {
      let next = start + 1 < digits.count ? digits[start + 1] : 0
      bytes.append(UInt8(digits[start] | next << 4))
    }
  }
}

extension Double {
  fileprivate var roundedInt: Int { Int(rounded()) }
}
