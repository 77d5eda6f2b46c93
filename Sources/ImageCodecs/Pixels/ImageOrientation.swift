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
}
