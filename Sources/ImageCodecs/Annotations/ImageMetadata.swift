/// What a file says about its image: Exif, XMP, IPTC, the color profile and the texts of a PNG.
///
/// ```swift
/// let metadata = try ImageMetadata(of: bytes)
/// print(metadata.camera.model ?? "", metadata.taken?.description ?? "", metadata.keywords)
/// ```
///
/// Read from JPEG, PNG, WebP, TIFF, AVIF, HEIC and JPEG XL, without decoding pixels, and without their libraries. Other formats have none.
/// Properties with a type, such as ``camera``, combine the blocks; the blocks have the rest, and their bytes.
public struct ImageMetadata: Sendable, Hashable {
  /// Exif data, or the tags of a TIFF.
  public var exif: ExifData?
  /// XMP. The part of it that a JPEG stores in further segments (extended XMP) is not read.
  public var xmp: XMPData?
  /// IPTC records, of JPEG, TIFF, and PNG by ImageMagick.
  public var iptc: IPTCData?
  /// The color profile of the stored pixels. Not that of the decoded image, which is in ``Image/colorSpace``.
  public var colorProfile: ICCProfile?
  /// The texts of a PNG by their keywords, such as `Title` and `Author`. The first of each.
  public var texts: [String: String] = [:]

  /// No metadata.
  public init() {}

  /// Reads the metadata of a whole file.
  ///
  /// Damaged blocks are left out, and so are those above `maximumMetadataBytes` of the limits after decompression. Throws
  /// ``ImageCodecError/notAnImage(_:)`` if no format is recognised, and ``ImageCodecError/limitExceeded(_:)`` for too large a file.
  ///
  /// - Complexity: O(n) in the size of the metadata, and in the number of parts of the file.
  public init(of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = .default) throws(ImageCodecError) {
    try limits.checkFile(byteCount: bytes.count)
    let view = ByteView(bytes)
    var blocks = MetadataBlocks(maximumBytes: limits.maximumMetadataBytes)
    try ImageCodec.format(of: view).codec.readMetadata?(&blocks, view)
    self = blocks.metadata
  }

  /// The same for an array, `Data`, or any other collection of bytes.
  public init(of bytes: some Collection<UInt8>, limits: DecodingLimits = .default) throws(ImageCodecError) {
    self = try bytes.withBytes { buffer throws(ImageCodecError) in
      try ImageMetadata(of: buffer, limits: limits)
    }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == ImageMetadata() }
}
