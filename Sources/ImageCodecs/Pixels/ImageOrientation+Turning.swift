extension ImageOrientation {
  /// The orientation of a picture that, once upright by this one, is turned clockwise by so many quarters.
  func turned(quarters: Int) -> ImageOrientation {
    ImageOrientation(quarters: turns.quarters + quarters, isMirrored: turns.isMirrored)
  }

  /// The same for a mirror beside the picture, or below it.
  func mirrored(sideways: Bool) -> ImageOrientation {
    ImageOrientation(quarters: (sideways ? 4 : 6) - turns.quarters, isMirrored: !turns.isMirrored)
  }

  /// Mirrored sideways first, then turned clockwise by so many quarters.
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
