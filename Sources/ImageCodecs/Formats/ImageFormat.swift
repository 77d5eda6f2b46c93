/// A file format, detected from the first bytes.
///
/// More formats are recognised than can be decoded, so that errors can name them. ``ImageDecoder/formats`` lists those
/// with a decoder.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG, baseline and progressive.
  case jpeg
  /// PNG. Of an animation (APNG), the image for decoders without animations, unless frames are requested.
  case png
  /// WebP, lossy and lossless. Of an animation, the first image, unless frames are requested.
  case webp
  /// GIF. Of an animation, the first image, unless frames are requested.
  case gif
  /// HEIC, with the package trait `AllFormats` or `HEIF`.
  case heic
  /// AVIF, with the package trait `AllFormats` or `AVIF`.
  case avif
  /// Icons and cursors. The largest image of the file.
  case ico
  /// Windows bitmaps, including run-length encoding.
  case bmp
  /// TIFF, with the package trait `AllFormats` or `TIFF`; the first image of a file, also of BigTIFF.
  case tiff
  /// JPEG 2000: recognised, not decoded.
  case jpeg2000
  /// JPEG XL, with the package trait `AllFormats` or `JPEGXL`. Of an animation, the first frame, unless frames are requested.
  case jpegXL
  /// Video: recognised, not decoded.
  case mp4
  /// Video for Apple's players: recognised, not decoded.
  case m4v
  /// Video of QuickTime: recognised, not decoded.
  case mov

  /// The usual file extension, without a dot.
  public var fileExtension: String { codec.extensions[0] }

  /// The usual media type. ``init(mimeType:)`` recognises others too.
  public var mimeType: String { codec.mimeTypes[0] }

  /// Ignores case. The extension must not have a leading dot.
  public init?(fileExtension: String) {
    let wanted = fileExtension.lowercased()
    guard let format = ImageFormat.allCases.first(where: { $0.codec.extensions.contains(wanted) }) else {
      return nil
    }
    self = format
  }

  /// Ignores case. The type must not have parameters such as `; charset=…`.
  public init?(mimeType: String) {
    let wanted = mimeType.lowercased()
    guard let format = ImageFormat.allCases.first(where: { $0.codec.mimeTypes.contains(wanted) }) else {
      return nil
    }
    self = format
  }

  /// The registry: what is known of each format.
  var codec: ImageCodec {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .gif: .gif
    case .heic: .heic
    case .avif: .avif
    case .ico: .ico
    case .bmp: .bmp
    case .tiff: .tiff
    case .jpeg2000: .jpeg2000
    case .jpegXL: .jpegXL
    case .mp4: .mp4
    case .m4v: .m4v
    case .mov: .mov
    }
  }
}
