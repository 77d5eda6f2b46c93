extension ImageRequest {
  /// A small picture instead of the whole one, made while decoding: the whole picture never is in memory.
  ///
  /// A picture that is small already is delivered as it is.
  public struct ThumbnailOptions: Sendable, Hashable {
    package let target: ResizeTarget

    /// Whether the small picture that a camera put into the file may be taken, if it is large enough and of the same shape.
    /// False unless it is set: programs that edit pictures forget to change it.
    public var usesEmbeddedThumbnail = false

    /// A picture whose longer side has at most `maxPixelSize` pixels.
    public init(maxPixelSize: Double) {
      target = .fitting(maxPixelSize)
    }

    /// A picture that fills or fits a box of `width` × `height`.
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
