/// A format: its names, how to recognise its files, and how to read them.
///
/// Each format has one, listed in ``ImageFormat/codec``.
struct ImageCodec: Sendable {
  /// File extensions, the usual one first.
  let extensions: [String]

  /// Media types, the usual one first.
  let mimeTypes: [String]

  /// The first bytes of a file, any of these. `nil` stands for any byte.
  var signatures: [[UInt8?]] = []

  /// The brands in the first box of a file made of boxes, instead of a signature.
  var brands: [String] = []

  /// The largest side that the format supports.
  var maximumSide = 65_535

  /// Whether ``EncodedImageHeader/animation(of:limits:watch:)`` returns animations.
  var decodesAnimations = false

  /// Writes animations; `nil` for formats that it does not write as such.
  var framesWriter: (@Sendable (_ encoding: ImageEncoder.Encoding, _ plays: Int?) -> any EncodedFrames)?

  /// Whether the decoder returns the available part of an incomplete file.
  var decodesParts = true

  /// Parses the header. `nil` if the format is recognised and not decoded.
  var readHeader: HeaderReader?

  /// Finds the metadata of a file; `nil` for formats whose metadata is not read.
  var readMetadata: (@Sendable (inout MetadataBlocks, ByteView) -> Void)?

  /// Whether its encoder names the color space of images that are sRGB or not labelled.
  var namesSRGB = false

  typealias HeaderReader = @Sendable (ByteView) throws(ImageCodecError) -> any EncodedImageHeader

  /// The format of a file.
  static func format(of bytes: ByteView) throws(ImageCodecError) -> ImageFormat {
    let prefix = bytes.slice(0, count: min(bytes.count, ImageFormat.sniffingLength))?.array ?? []
    guard let format = ImageFormat(sniffing: prefix) else { throw .notAnImage(ContentHint(sniffing: prefix)) }
    return format
  }

  /// Parses the header of a file of any format.
  static func header(of bytes: ByteView) throws(ImageCodecError) -> any EncodedImageHeader {
    let format = try format(of: bytes)
    guard let readHeader = format.codec.readHeader else { throw .unsupportedFormat(format) }
    return try readHeader(bytes)
  }
}

/// Formats that errors can name.
extension ImageCodec {
  static let jpeg2000 = ImageCodec(
    extensions: ["jp2", "j2k", "jpx", "jpf"], mimeTypes: ["image/jp2", "image/jpx"],
    signatures: [
      [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], [0xFF, 0x4F, 0xFF, 0x51],
    ])
  static let mp4 = ImageCodec(
    extensions: ["mp4"], mimeTypes: ["video/mp4"],
    brands: ["mp41", "mp42", "isom", "iso2", "iso5", "iso6", "avc1"])
  static let m4v = ImageCodec(
    extensions: ["m4v"], mimeTypes: ["video/x-m4v"], brands: ["M4V ", "M4VH", "M4VP"])
  static let mov = ImageCodec(extensions: ["mov", "qt"], mimeTypes: ["video/quicktime"], brands: ["qt  "])
}
