public import ImageCodecs

/// How large a picture has to be to be of use.
public enum SizeNeed: Sendable, Hashable {
  /// Of this size, give or take a pixel: sizes are rounded in different places.
  case exactly(PixelSize)
  /// At least as large in both directions.
  case atLeast(PixelSize)

  func isMet(by size: PixelSize) -> Bool {
    switch self {
    case .exactly(let wanted):
      abs(size.width - wanted.width) <= 1 && abs(size.height - wanted.height) <= 1
    case .atLeast(let wanted): size.width >= wanted.width && size.height >= wanted.height
    }
  }
}
