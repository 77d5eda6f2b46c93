/// Decodes images.
///
/// The format is detected from the bytes, never from a name or a content type. The orientation is applied here,
/// exactly once. Samples of 16 bits become 8, unless ``DecodingOptions/keepsDepth`` is set. Palettes become colors;
/// gray stays gray in JPEG, PNG, TIFF and JPEG XL without transparency. Profiles are applied, see ``DecodingOptions/colors``. Inks
/// (CMYK) become RGB by their profile, or by multiplication. Of an animation, one image is decoded; ``AnimationReader`` decodes
/// the frames.
///
/// All functions return when the work is done. It runs on the calling thread; on Linux, AVIF and HEIC are decoded on threads
/// that the call starts and waits for. `isCancelled` is called between rows, for WebP and JPEG XL between parts of the file, and for AVIF
/// and HEIC before and after decoding.
public enum ImageDecoder {
  /// The formats that can be decoded. They include AVIF, HEIC, JPEG XL and TIFF by default; see the package traits of ``ImageFormat``.
  public static let formats = Set(ImageFormat.allCases.filter { $0.codec.readHeader != nil })

  /// Reads the header. The beginning of the file is enough if it contains the whole header. The orientation of a PNG
  /// or a WebP may be at its end, and so may the header of a TIFF.
  ///
  /// Throws ``ImageCodecError/truncated`` if the format is recognised and more bytes are needed. Checks no limits.
  public static func info(of bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> ImageInfo {
    try ImageCodec.header(of: ByteView(bytes)).info
  }

  /// The same for an array, `Data`, or any other collection of bytes. They are copied if they are not contiguous.
  public static func info(of bytes: some Collection<UInt8>) throws(ImageCodecError) -> ImageInfo {
    try bytes.withBytes { buffer throws(ImageCodecError) in try info(of: buffer) }
  }

  /// Decodes a whole file, at full size or at that of ``DecodingOptions/target``.
  ///
  /// A truncated or damaged file is an error, unless all pixels are there: see ``DecodingLimits/incomplete``.
  ///
  /// - Complexity: O(stored pixels) time. Needs memory for the result, for the reduced image it was made from, and up
  ///   to ``DecodingLimits/maximumWorkingBytes``.
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

  /// Decodes the available part of a file. Missing pixels are gray, black or transparent, or those of an earlier scan. An AVIF
  /// or HEIC must be whole.
  ///
  /// Do not cache the image unless it ``AvailableImage/isComplete``.
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

/// An image that may be incomplete.
public struct AvailableImage: Sendable, Equatable {
  /// The image, as large as if it were complete.
  public var image: Image
  /// Whether no pixel is missing.
  public var isComplete: Bool

  /// Creates an available image.
  public init(image: Image, isComplete: Bool) {
    (self.image, self.isComplete) = (image, isComplete)
  }
}
