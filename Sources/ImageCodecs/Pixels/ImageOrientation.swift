/// How a stored picture must be turned to stand upright. Raw values are those of EXIF.
///
/// Cases are named after where the top of the picture lies in the file, except for the mirrored ones.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
  case up = 1
  case upMirrored
  case down
  case downMirrored
  case leftMirrored
  case right
  case rightMirrored
  case left

  /// Whether width and height change places.
  public var swapsSides: Bool { rawValue >= ImageOrientation.leftMirrored.rawValue }

  /// The size of an upright picture that is stored in `size`.
  public func upright(_ size: PixelSize) -> PixelSize { swapsSides ? size.swapped : size }
}
