extension ImageRequest {
  /// A small version of the image, made by the decoder. A JPEG, or a WebP without transparency, can be decoded at a
  /// reduced size.
  ///
  /// An image that is small enough is delivered as it is.
  public struct ThumbnailOptions: Sendable, Hashable {
    package let target: ResizeTarget

    /// Whether to use the thumbnail that a camera embedded in the file, if it is large enough and has the same aspect
    /// ratio.
    ///
    /// `false` by default, because programs that edit images often leave it unchanged.
    public var usesEmbeddedThumbnail = false

    /// Creates a thumbnail whose longer side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: Double) {
      target = .fitting(maxPixelSize)
    }

    /// Creates a thumbnail that fills or fits a box of `width` × `height`.
    public init(
      width: Double, height: Double, unit: ImageProcessors.Unit = .pixels,
      contentMode: ImageProcessors.ContentMode = .aspectFill
    ) {
      target = ResizeTarget(
        width: width * unit.pixels, height: height * unit.pixels, mode: contentMode.resizeMode)
    }

    package var identifier: String {
      "thumbnail \(target.identifier)\(usesEmbeddedThumbnail ? " embedded" : "")"
    }
  }
}
