/// Which previews are shown while an image loads.
public enum PreviewPolicy: Sendable, Hashable, CaseIterable {
  /// None.
  case none
  /// The first one.
  case first
  /// The thumbnail that a camera embedded in the file, if there is one.
  case thumbnail
  /// All that can be made in time.
  case all

  /// The policy that suits a format: all for progressive JPEG, interlaced PNG and lossy JPEG XL, the first for other animations and GIF,
  /// otherwise none.
  public init(fitting info: ImageInfo) {
    if info.isProgressive {
      self = .all
    } else {
      self = info.isAnimated || info.format == .gif ? .first : .none
    }
  }
}
