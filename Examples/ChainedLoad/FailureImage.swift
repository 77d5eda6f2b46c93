import StreamImages

/// Shown in the place of what could not be loaded: a red cross on grey.
enum FailureImage {
  static let image: Image = {
    let (width, height) = (120, 96)
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        bytes += isOnCross(x - width / 2, y - height / 2) ? [200, 40, 40] : [70, 70, 70]
      }
    }
    do {
      return try Image(bytes: bytes, width: width, height: height, pixelFormat: .rgb8)
    } catch {
      preconditionFailure("three bytes for each of \(width) × \(height) pixels: \(error)")
    }
  }()

  /// Two bars, up to 30 pixels from the centre.
  private static func isOnCross(_ x: Int, _ y: Int) -> Bool {
    max(abs(x), abs(y)) <= 30 && min(abs(x - y), abs(x + y)) <= 4
  }
}
