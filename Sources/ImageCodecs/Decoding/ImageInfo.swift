/// What the header of a file says; no pixel is touched to learn it.
public struct ImageInfo: Sendable, Hashable {
  /// Told by the bytes.
  public var format: ImageFormat

  /// As it lies in the file.
  public var storedSize: PixelSize

  /// How the file asks to be turned. Read from EXIF; `.up` when that is missing or makes no sense.
  public var orientation: ImageOrientation

  /// Whether pixels can be transparent.
  public var hasAlpha: Bool

  /// A progressive JPEG or an interlaced PNG: useful before all of it has arrived.
  public var isProgressive: Bool

  /// Whether there is more than one frame. ``AnimationReader`` reads them all.
  public var isAnimated: Bool

  /// In the file; decoding yields 8, or 16 with ``DecodingOptions/keepsDepth``.
  public var bitsPerComponent: Int

  /// A description of a file, for decoders of other formats.
  public init(
    format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up, hasAlpha: Bool = false,
    isProgressive: Bool = false, isAnimated: Bool = false, bitsPerComponent: Int = 8
  ) {
    self.format = format
    self.storedSize = storedSize
    self.orientation = orientation
    self.hasAlpha = hasAlpha
    self.isProgressive = isProgressive
    self.isAnimated = isAnimated
    self.bitsPerComponent = bitsPerComponent
  }

  /// Upright: the size of the image that decoding yields.
  public var size: PixelSize { orientation.upright(storedSize) }
}
