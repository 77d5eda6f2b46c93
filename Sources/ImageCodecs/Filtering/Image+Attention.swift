extension Image {
  /// Returns the top left corner of the part of a size that has most to look at.
  ///
  /// Edges, saturated colors and colors of skin count, and those in the middle of the part twice. Of equal parts, the one
  /// closest to the center is taken. Sides of more than 128 pixels are reduced first. A size larger than the image
  /// is cut.
  ///
  /// - Complexity: O(pixels).
  public func attentiveOrigin(
    of size: PixelSize, isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> (x: Int, y: Int) {
    guard size.width > 0, size.height > 0 else { throw .invalidSize("\(size) pixels") }
    let free = PixelSize(width: max(0, width - size.width), height: max(0, height - size.height))
    if free.width == 0, free.height == 0 { return (0, 0) }
    let small = try resized(to: .fitting(128), isCancelled: isCancelled)
      .convertedToSRGB(isCancelled: isCancelled).withAlpha()
    // Each side has a scale of its own: that of a thin image is not reduced below a pixel.
    let side = { (length: Int, whole: Int, limit: Int) in
      min(max(1, Int((Double(min(length, whole)) * Double(limit) / Double(whole)).rounded())), limit)
    }
    let part = PixelSize(
      width: side(size.width, width, small.width), height: side(size.height, height, small.height))
    let place = AttentionMap(of: small).best(part)
    // A part that reaches to an edge of the small image reaches to that of the large one.
    let position = { (place: Int, small: Int, free: Int) in
      small == 0 ? free / 2 : Int((Double(place) / Double(small) * Double(free)).rounded())
    }
    return (
      position(place.x, small.width - part.width, free.width),
      position(place.y, small.height - part.height, free.height)
    )
  }
}

/// How much there is to look at, pixel by pixel, as sums from the top left corner.
private struct AttentionMap {
  private let width: Int
  private let height: Int
  /// One row and one column more than the image has.
  private var sums: [Double]

  /// The image is in RGBA.
  init(of image: Image) {
    (width, height) = (image.width, image.height)
    sums = [Double](repeating: 0, count: (width + 1) * (height + 1))
    let colors = image.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 4).map { start -> SIMD4<Double> in
        let color = SIMD4(bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3])
        return SIMD4<Double>(color) / 255
      }
    }
    // A transparent pixel is nothing to look at, and its edge with an opaque one is.
    let luma = colors.map { color -> Double in (color * SIMD4(0.2126, 0.7152, 0.0722, 0)).sum() * color.w }
    for y in 0..<height {
      var row = 0.0
      for x in 0..<width {
        let index = y * width + x
        let (left, right) = (luma[y * width + max(x - 1, 0)], luma[y * width + min(x + 1, width - 1)])
        let (above, below) = (luma[max(y - 1, 0) * width + x], luma[min(y + 1, height - 1) * width + x])
        let edge = abs(4 * luma[index] - left - right - above - below)
        row += edge + Self.color(colors[index])
        sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row
      }
    }
  }

  /// The direction of skin in the cube of colors, for any brightness.
  private static let skin = SIMD3(0.735, 0.537, 0.414)

  /// What a color counts for by itself.
  private static func color(_ color: SIMD4<Double>) -> Double {
    let (low, high) = (min(color.x, color.y, color.z), max(color.x, color.y, color.z))
    let brightness = (low + high) / 2
    // Dark and glaring colors have a saturation that nobody sees.
    let isSeen = brightness > 0.1 && brightness < 0.9
    let saturation = isSeen ? (high - low) / (1 - abs(2 * brightness - 1)) : 0
    let opaque = SIMD3(color.x, color.y, color.z)
    let length = (opaque * opaque).sum().squareRoot()
    let likeness = length > 0 ? (opaque * skin).sum() / length : 0
    let skinTone = high > 0.2 && likeness > 0.97 ? (likeness - 0.97) / 0.03 : 0
    return (0.3 * max(0, saturation - 0.4) + 0.6 * skinTone) * color.w
  }

  /// The corner of the best part of a size, which is not larger than the image.
  func best(_ size: PixelSize) -> (x: Int, y: Int) {
    var (found, best, distance) = ((x: 0, y: 0), -1.0, Int.max)
    for y in 0...height - size.height {
      for x in 0...width - size.width {
        let inner = (width: size.width / 2, height: size.height / 2)
        let score =
          sum(x, y, size.width, size.height)
          + sum(x + size.width / 4, y + size.height / 4, inner.width, inner.height)
        let aside = abs(2 * x - (width - size.width)) + abs(2 * y - (height - size.height))
        guard score > best + 1e-9 || score > best - 1e-9 && aside < distance else { continue }
        (found, best, distance) = ((x, y), max(score, best), aside)
      }
    }
    return found
  }

  private func sum(_ x: Int, _ y: Int, _ columns: Int, _ rows: Int) -> Double {
    let at = { (x: Int, y: Int) in sums[y * (width + 1) + x] }
    return at(x + columns, y + rows) - at(x, y + rows) - at(x + columns, y) + at(x, y)
  }
}
