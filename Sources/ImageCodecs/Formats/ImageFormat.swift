/// A file format, detected from the first bytes.
///
/// More formats are recognised than can be decoded, so that errors can name them. ``ImageDecoder/formats`` lists those
/// with a decoder.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG, baseline and progressive.
  case jpeg
  /// PNG. Of an animation, the first image.
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
  /// JPEG XL: recognised, not decoded.
  case jpegXL
  /// Video: recognised, not decoded.
  case mp4
  /// Video for Apple's players: recognised, not decoded.
  case m4v
  /// Video of QuickTime: recognised, not decoded.
  case mov

  /// The usual file extension, without a dot.
  public var fileExtension: String { extensions[0] }

  /// The registered media type. Other types in use are recognised too.
  public var mimeType: String { mimeTypes[0] }

  /// Ignores case. The extension must not have a leading dot.
  public init?(fileExtension: String) {
    let wanted = fileExtension.lowercased()
    guard let format = ImageFormat.allCases.first(where: { $0.extensions.contains(wanted) }) else {
      return nil
    }
    self = format
  }

  /// Ignores case. The type must not have parameters such as `; charset=…`.
  public init?(mimeType: String) {
    let wanted = mimeType.lowercased()
    guard let format = ImageFormat.allCases.first(where: { $0.mimeTypes.contains(wanted) }) else {
      return nil
    }
    self = format
  }

  private var extensions: [String] {
    switch self {
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .png: ["png", "apng"]
    case .webp: ["webp"]
    case .gif: ["gif"]
    case .heic: ["heic", "heif"]
    case .avif: ["avif"]
    case .ico: ["ico", "cur"]
    case .bmp: ["bmp", "dib"]
    case .tiff: ["tiff", "tif"]
    case .jpeg2000: ["jp2", "j2k", "jpx", "jpf"]
    case .jpegXL: ["jxl"]
    case .mp4: ["mp4"]
    case .m4v: ["m4v"]
    case .mov: ["mov", "qt"]
    }
  }

  private var mimeTypes: [String] {
    switch self {
    case .jpeg: ["image/jpeg", "image/jpg", "image/pjpeg"]
    case .png: ["image/png", "image/apng", "image/x-png"]
    case .webp: ["image/webp"]
    case .gif: ["image/gif"]
    case .heic: ["image/heic", "image/heif"]
    case .avif: ["image/avif"]
    case .ico: ["image/vnd.microsoft.icon", "image/x-icon"]
    case .bmp: ["image/bmp", "image/x-ms-bmp"]
    case .tiff: ["image/tiff"]
    case .jpeg2000: ["image/jp2", "image/jpx"]
    case .jpegXL: ["image/jxl"]
    case .mp4: ["video/mp4"]
    case .m4v: ["video/x-m4v"]
    case .mov: ["video/quicktime"]
    }
  }

  /// The largest side that the format supports.
  package var maximumSide: Int {
    switch self {
    case .webp: 16_383
    default: 65_535
    }
  }
}
