/// Which unfinished pictures are shown while a picture loads.
public enum PreviewPolicy: Sendable, Hashable, CaseIterable {
  /// None.
  case none
  /// The first that can be had.
  case first
  /// The small picture that a camera put into the file, once; none if there is none.
  case thumbnail
  /// All that are to be had in time.
  case all

  /// What fits a format: all of what is made to be seen early (progressive JPEG, interlaced PNG), the first frame of an
  /// animation, none else.
  public init(fitting info: ImageInfo) {
    if info.isProgressive {
      self = .all
    } else {
      self = info.isAnimated || info.format == .gif ? .first : .none
    }
  }
}
