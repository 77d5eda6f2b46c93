import StreamImages

/// Images that the program paints itself: before there is one, and where there is none.
enum Artwork {
  static let placeholder = painted { x, y in
    let shade = UInt8(26 + 10 * (x + y))
    return (shade, shade, UInt8(shade + 8))
  }

  /// A frame with a crack in it.
  static let failure = painted { x, y in
    let crack = 0.5 + (y * 9).truncatingRemainder(dividingBy: 2).distance(to: 1).magnitude * 0.14 - 0.07
    let isCrack = abs(x - crack) < 0.012
    let isFrame = min(x, 1 - x) < 0.03 || min(y, 1 - y) < 0.045
    if isCrack { return (14, 12, 18) }
    return isFrame ? (92, 46, 52) : (52, 28, 36)
  }

  /// - Parameter color: Of a place, from 0 to 1.
  private static func painted(_ color: (Double, Double) -> (UInt8, UInt8, UInt8)) -> Image? {
    let size = Gallery.cell
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.width * size.height * 3)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (red, green, blue) = color(Double(x) / Double(size.width), Double(y) / Double(size.height))
        bytes += [red, green, blue]
      }
    }
    return try? Image(bytes: bytes, width: size.width, height: size.height, pixelFormat: .rgb8)
  }
}
