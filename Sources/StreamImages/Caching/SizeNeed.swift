public import ImageCodecs

/// The size that an image must have to be useful.
public enum SizeNeed: Sendable, Hashable {
  /// This size, within a pixel, because sizes are rounded in different places.
  case exactly(PixelSize)
  /// At least this size in both directions.
  case atLeast(PixelSize)

  package func isMet(by size: PixelSize) -> Bool {
    switch self {
    case .exactly(let wanted):
      abs(size.width - wanted.width) <= 1 && abs(size.height - wanted.height) <= 1
    case .atLeast(let wanted): size.width >= wanted.width && size.height >= wanted.height
    }
  }
}
