import CCodecs

/// Waves of a plane of numbers: how much of each cosine, across and down, a plane contains.
struct CosineTransform {
  /// A wave across and one down.
  typealias Position = (column: Int, row: Int)

  private let width: Int
  private let height: Int
  /// The cosines at each column of pixels, wave by wave.
  private let across: [Double]
  /// The cosines at each row of pixels, wave by wave.
  private let down: [Double]

  /// - Parameters:
  ///   - columns: The number of waves across.
  ///   - rows: The number of waves down.
  ///   - offset: The position of a pixel's sample between its start, 0, and its end, 1.
  init(width: Int, height: Int, columns: Int, rows: Int, offset: Double) {
    (self.width, self.height) = (width, height)
    across = (0..<columns).flatMap { Self.cosines(width, wave: $0, offset) }
    down = (0..<rows).flatMap { Self.cosines(height, wave: $0, offset) }
  }

  /// The averages of the plane, weighted by the waves at the positions.
  ///
  /// - Complexity: O(pixels · waves across).
  func amounts(of positions: [Position], in plane: [Double]) -> [Double] {
    let columns = across.count / width
    // A row of pixels is summed once for each wave across, however many waves down there are.
    var lines = [Double](repeating: 0, count: columns * height)
    plane.withUnsafeBufferPointer { plane in
      across.withUnsafeBufferPointer { across in
        for column in 0..<columns {
          for y in 0..<height {
            var line = 0.0
            for x in 0..<width { line += plane[y * width + x] * across[column * width + x] }
            lines[column * height + y] = line
          }
        }
      }
    }
    return positions.map { column, row in
      let sum = (0..<height).reduce(0.0) { $0 + lines[column * height + $1] * down[row * height + $1] }
      return sum / Double(width * height)
    }
  }

  /// The value of the two waves at a pixel.
  func value(of column: Int, _ row: Int, x: Int, y: Int) -> Double {
    across[column * width + x] * down[row * height + y]
  }

  private static func cosines(_ count: Int, wave: Int, _ offset: Double) -> [Double] {
    [Double](unsafeUninitializedCapacity: count) { buffer, filled in
      codec_cosines(buffer.baseAddress, count, wave, offset)
      filled = count
    }
  }
}
