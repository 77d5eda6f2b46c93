/// How a stored image must be rotated and mirrored to be upright. The raw values are those of EXIF.
///
/// Each case names the side of the upright image at which the first row of the file is.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// The image is stored upright.
  case up = 1
  /// Mirror it horizontally.
  case upMirrored
  /// Rotate it by 180 degrees.
  case down
  /// Mirror it vertically.
  case downMirrored
  /// Swap rows and columns.
  case leftMirrored
  /// Rotate it clockwise by 90 degrees, as most portraits of phones.
  case right
  /// Swap rows and columns, both counted from their ends.
  case rightMirrored
  /// Rotate it counterclockwise by 90 degrees.
  case left

  /// Whether width and height are swapped.
  public var swapsSides: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// The upright size of an image stored in `size`.
  public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.swapped : size }

  /// The orientation for which the upright image is rotated clockwise by this number of quarters.
  func turned(quarters: Int) -> ImageOrientation {
    ImageOrientation(quarters: turns.quarters + quarters, isMirrored: turns.isMirrored)
  }

  /// The orientation for which the upright image is mirrored, horizontally or vertically.
  func mirrored(sideways: Bool) -> ImageOrientation {
    ImageOrientation(quarters: (sideways ? 4 : 6) - turns.quarters, isMirrored: !turns.isMirrored)
  }

  /// Mirrored horizontally first, then rotated clockwise by this number of quarters.
  private init(quarters: Int, isMirrored: Bool) {
    self = (isMirrored ? Self.mirrored : Self.plain)[quarters & 3]
  }

  private static let plain: [ImageOrientation] = [.up, .right, .down, .left]
  private static let mirrored: [ImageOrientation] = [
    .upMirrored, .rightMirrored, .downMirrored, .leftMirrored,
  ]

  private var turns: (quarters: Int, isMirrored: Bool) {
    Self.plain.firstIndex(of: self).map { ($0, false) } ?? (Self.mirrored.firstIndex(of: self) ?? 0, true)
  }
}
