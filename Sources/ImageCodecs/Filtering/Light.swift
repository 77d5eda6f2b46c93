extension Image {
  /// The values that are averaged when pixels are averaged.
  ///
  /// Values in a file are not proportional to light: half of 255 is a fifth of the light. Most programs average the
  /// encoded values. Averaging the light is what a lens does, and keeps fine bright patterns from becoming too dark.
  /// Values are taken for sRGB.
  public enum Light: Sendable, Hashable, CaseIterable {
    /// The encoded values.
    case encoded
    /// The light they represent.
    case linear
  }
}
