/// Bytes become pixels.
///
/// The format is told by the bytes, never by a name or a content type. Orientation is applied here, exactly
/// once. Samples of 16 bits become 8, unless ``DecodingOptions/keepsDepth``; palettes become colors; gray stays
/// gray; profiles are applied, see ``DecodingOptions/colors``; inks (CMYK) become RGB by their profile, or by
/// plain multiplication. Of an animation the first frame is decoded; ``AnimationReader`` gives the others.
///
/// Everything is synchronous and runs on the calling thread. `isCancelled` is asked between rows.
public enum ImageDecoder {
  /// The formats with a decoder. AVIF, HEIC and TIFF are among them unless the package
  /// trait `AllFormats` is off.
  public static let formats: Set<ImageFormat> = {
    var formats: Set<ImageFormat> = [.jpeg, .png, .webp, .gif, .bmp, .ico]
    #if CODECS_AVIF
      formats.insert(.avif)
    #endif
    #if CODECS_HEIF
      formats.insert(.heic)
    #endif
    #if CODECS_TIFF
      formats.insert(.tiff)
    #endif
    return formats
  }()

  /// Reads the header. A prefix of the file is enough if all of the header lies in it; the orientation of a
  /// PNG or a WebP may stand at its end.
  ///
  /// Throws ``ImageCodecError/truncated`` when more bytes are needed. Sizes are reported, not limited.
  public static func info(of bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> ImageInfo {
    try EncodedImageHeader(ByteView(bytes)).info
  }

  /// The same for an array, `Data`, or any other collection of bytes. One that does not keep its bytes in one piece is
  /// copied.
  public static func info(of bytes: some Collection<UInt8>) throws(ImageCodecError) -> ImageInfo {
    try bytes.withBytes { buffer throws(ImageCodecError) in try info(of: buffer) }
  }

  /// Decodes a whole file, at full size or at that of ``DecodingOptions/target``.
  ///
  /// Strict: a file that ends early or holds damaged pixels is an error, not half a picture.
  ///
  /// - Complexity: O(stored pixels) time. Memory is the result, the reduced image it was made from, and what
  ///   ``DecodingLimits/maximumWorkingBytes`` bounds.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    return try read(bytes, options: options, isStrict: true, watch: watch).image
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func decode(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> Image {
    try bytes.withBytes { buffer throws(ImageCodecError) in
      try decode(buffer, options: options, isCancelled: isCancelled)
    }
  }

  /// Decodes what is there of a file that may end early. Pixels that have not arrived are gray, black or
  /// transparent, or those of an earlier pass.
  ///
  /// Never cache the image unless it ``AvailableImage/isComplete``.
  public static func decodeAvailable(
    _ bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> AvailableImage {
    let watch = DecodingWatch(deadline: options.limits.deadline, isCancelled: isCancelled)
    return try read(bytes, options: options, isStrict: false, watch: watch)
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public static func decodeAvailable(
    _ bytes: some Collection<UInt8>, options: DecodingOptions = DecodingOptions(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws(ImageCodecError) -> AvailableImage {
    try bytes.withBytes { buffer throws(ImageCodecError) in
      try decodeAvailable(buffer, options: options, isCancelled: isCancelled)
    }
  }
}

/// An image of which parts may be missing.
public struct AvailableImage: Sendable, Equatable {
  /// Of the size of the whole.
  public var image: Image
  /// Whether no pixel had to be made up.
  public var isComplete: Bool

  /// An image and whether all of it is there.
  public init(image: Image, isComplete: Bool) {
    self.image = image
    self.isComplete = isComplete
  }
}
