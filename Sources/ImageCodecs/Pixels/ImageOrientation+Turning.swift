extension ImageOrientation {
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
    let plain: [ImageOrientation] = [.up, .right, .down, .left]
    let mirrored: [ImageOrientation] = [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored]
    self = (isMirrored ? mirrored : plain)[quarters & 3]
  }

  private var turns: (quarters: Int, isMirrored: Bool) {
    switch self {
    case .up: (0, false)
    case .right: (1, false)
    case .down: (2, false)
    case .left: (3, false)
    case .upMirrored: (0, true)
    case .rightMirrored: (1, true)
    case .downMirrored: (2, true)
    case .leftMirrored: (3, true)
    }
  }
}
