extension Image {
  /// What is averaged where pixels are averaged.
  ///
  /// Numbers in a file are not amounts of light: half of 255 is a fifth of the light. Averaging the numbers is
  /// what nearly all programs do; averaging the light is what a lens does, and keeps fine bright patterns from
  /// becoming too dark. Numbers are taken for sRGB.
  public enum Light: Sendable, Hashable, CaseIterable {
    /// The numbers as they are stored.
    case encoded
    /// The light they stand for.
    case linear
  }
}
