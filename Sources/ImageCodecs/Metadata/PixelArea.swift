/// A rectangle of pixels.
struct PixelArea: Equatable {
  var x = 0
  var y = 0
  var width: Int
  var height: Int

  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Returns the part that appears at `inner` once the area is upright.
  func part(_ inner: PixelArea, orientation: ImageOrientation) -> PixelArea {
    let isSwapped = orientation.swapsSides
    var part = PixelArea(
      x: isSwapped ? inner.y : inner.x, y: isSwapped ? inner.x : inner.y,
      width: isSwapped ? inner.height : inner.width, height: isSwapped ? inner.width : inner.height)
    switch orientation {
    case .up, .leftMirrored: break
    case .upMirrored, .left: part.x = width - part.x - part.width
    case .downMirrored, .right: part.y = height - part.y - part.height
    case .down, .rightMirrored:
      part.x = width - part.x - part.width
      part.y = height - part.y - part.height
    }
    part.x += x
    part.y += y
    return part
  }
}
