import CCodecs

/// Waves of a plane of numbers: how much of each cosine, across and down, a plane contains.
struct CosineTransform {
  private let width: Int
  private let height: Int
  /// For each wave, the cosine at each column or row.
  private let across: [[Double]]
  private let down: [[Double]]

  /// - Parameters:
  ///   - columns: The number of waves across.
  ///   - rows: The number of waves down.
  ///   - offset: The position of a pixel's sample between its start, 0, and its end, 1.
  init(width: Int, height: Int, columns: Int, rows: Int, offset: Double) {
    (self.width, self.height) = (width, height)
    across = (0..<columns).map { Self.cosines(width, wave: $0, offset) }
    down = (0..<rows).map { Self.cosines(height, wave: $0, offset) }
  }

  /// The average of the plane, weighted by the waves.
  ///
  /// - Complexity: O(pixels).
  func amount(of column: Int, _ row: Int, in plane: [Double]) -> Double {
    var sum = 0.0
    for y in 0..<height {
      var line = 0.0
      for x in 0..<width { line += plane[y * width + x] * across[column][x] }
      sum += line * down[row][y]
    }
    return sum / Double(width * height)
  }

  /// The value of the two waves at a pixel.
  func value(of column: Int, _ row: Int, x: Int, y: Int) -> Double { across[column][x] * down[row][y] }

  private static func cosines(_ count: Int, wave: Int, _ offset: Double) -> [Double] {
    [Double](unsafeUninitializedCapacity: count) { buffer, filled in
      codec_cosines(buffer.baseAddress, count, wave, offset)
      filled = count
    }
  }
}
