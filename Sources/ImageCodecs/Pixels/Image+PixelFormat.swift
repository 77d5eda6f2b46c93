extension Image {
  /// How a pixel lies in memory.
  ///
  /// Formats of more bits may be added: switch with a default.
  public enum PixelFormat: Sendable, Hashable, CaseIterable {
    /// One byte: 0 is black.
    case gray8
    /// Red, green, blue, one byte each.
    case rgb8
    /// Red, green, blue, alpha, one byte each. Alpha is straight: colors are not multiplied by it.
    case rgba8

    /// The distance between two pixels of a row.
    public var bytesPerPixel: Int {
      switch self {
      case .gray8: 1
      case .rgb8: 3
      case .rgba8: 4
      }
    }

    /// Whether pixels can be transparent.
    public var hasAlpha: Bool { self == .rgba8 }

    package init?(channels: Int) {
      switch channels {
      case 1: self = .gray8
      case 3: self = .rgb8
      case 4: self = .rgba8
      default: return nil
      }
    }
  }
}
