/// The metadata in the header of a file, read without decoding pixels.
public struct ImageInfo: Sendable, Hashable {
  /// The format, detected from the bytes.
  public var format: ImageFormat

  /// The size of the stored image.
  public var storedSize: PixelSize

  /// The orientation in EXIF, in the tag of a TIFF, or in the header of an AVIF, HEIC or JPEG XL; `.up` if it is missing or not valid.
  public var orientation: ImageOrientation

  /// Whether pixels can be transparent.
  public var hasAlpha: Bool

  /// Whether it is a progressive JPEG, an interlaced PNG or a lossy JPEG XL, which can be previewed.
  public var isProgressive: Bool

  /// Whether it is an animation. ``AnimationReader`` decodes the frames of those in ``AnimationReader/formats``.
  public var isAnimated: Bool

  /// The number in the file. Decoding returns 8, or 16 instead of more than 8 with ``DecodingOptions/keepsDepth``.
  public var bitsPerComponent: Int

  /// Creates metadata, for decoders of other formats.
  public init(
    format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up, hasAlpha: Bool = false,
    isProgressive: Bool = false, isAnimated: Bool = false, bitsPerComponent: Int = 8
  ) {
    (self.format, self.storedSize, self.orientation) = (format, storedSize, orientation)
    (self.hasAlpha, self.isProgressive, self.isAnimated) = (hasAlpha, isProgressive, isAnimated)
    self.bitsPerComponent = bitsPerComponent
  }

  /// The size of the upright image.
  public var size: PixelSize { orientation.upright(storedSize) }
}
