/// How a stored picture must be turned to stand upright. Raw values are those of EXIF.
///
/// Cases are named after the side of the upright picture that the first row of the file is.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  /// As it is stored.
  case up = 1
  /// Left and right are to change places.
  case upMirrored
  /// Stored upside down: to be turned by a half.
  case down
  /// Top and bottom are to change places.
  case downMirrored
  /// Rows and columns are to change places.
  case leftMirrored
  /// To be turned clockwise by a quarter, as most portraits of phones.
  case right
  /// Rows and columns are to change places, both counted from their ends.
  case rightMirrored
  /// To be turned counterclockwise by a quarter.
  case left

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// The size of an upright picture that is stored in `size`.
  public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.swapped : size }
}
