/// Encodes images.
///
/// Files contain no orientation, because pixels are upright already. A profile in ``Image/colorSpace`` is written, unless it is
/// one of gray and the format is WebP, AVIF or HEIC. Metadata is not written, unless you
/// ask for it with ``encode(_:as:keeping:of:)``. A ``Image/gainMap`` is written by JPEG and AVIF only.
/// Runs synchronously.
public enum ImageEncoder {
  /// A format and its settings. Qualities are from 0 to 1.
  public enum Encoding: Sendable, Hashable {
    /// Transparent images are blended over white. A ``Image/gainMap`` is written behind the image with the same quality (Ultra HDR
    /// and ISO 21496-1), and is ignored by programs without HDR. A `progressive` file can be previewed early, and needs more memory
    /// to write and to read.
    case jpeg(quality: Double = 0.85, progressive: Bool = false)
    /// Lossless, with sixteen bits per channel if the image has them; so does JPEG XL, and all other formats write eight.
    case png
    /// At most 16,383 pixels per side. Gray becomes RGB.
    ///
    /// `effort` is from 0 to 6. An effort of 2 takes half the time of 4, for files that are 2 % larger: libwebp 1.2.4,
    /// twenty photographs of 320 × 240 pixels.
    case webp(quality: Double = 0.8, effort: Int = 4)
    /// Lossless, including colors under transparent pixels. At most 16,383 pixels per side. Gray becomes RGB.
    case losslessWebP
    /// Up to 255 colors: those of the image if it has no more, and otherwise colors chosen for it, with errors diffused to neighbors. Pixels
    /// are opaque or transparent. At most 65,535 pixels per side. No profile and no metadata is written.
    case gif
    /// Small files of good quality, but slow to encode. Needs the trait `AllFormats`, which is on by default, or `AVIF`.
    case avif(quality: Double = 0.6)
    /// The format of many cameras. Gray becomes RGB. Needs the trait `AllFormats`, which is on by default, or `HEIF`.
    case heic(quality: Double = 0.6)
    /// The smallest files at good quality, with sixteen bits per channel if the image has them. At most 2³⁰ pixels per side. Needs the
    /// trait `AllFormats`, which is on by default, or `JPEGXL`.
    ///
    /// `effort` is from 1 to 9.
    case jpegXL(quality: Double = 0.8, effort: Int = 5)
    /// Lossless, with sixteen bits per channel if the image has them, and smaller than PNG. Needs the same trait.
    case losslessJPEGXL(effort: Int = 3)

    /// The format of the file.
    public var format: ImageFormat {
      switch self {
      case .jpeg: .jpeg
      case .png: .png
      case .webp, .losslessWebP: .webp
      case .gif: .gif
      case .avif: .avif
      case .heic: .heic
      case .jpegXL, .losslessJPEGXL: .jpegXL
      }
    }

    /// Throws if the format does not support these sides.
    func check(_ size: PixelSize) throws(ImageCodecError) {
      let side = format == .png ? Int(Int32.max) : format.codec.maximumSide
      guard size.width <= side, size.height <= side else {
        throw .encodingFailed("\(size) pixels in a format of at most \(side) a side")
      }
    }

    /// Whether sixteen bits per channel are written.
    fileprivate var keepsDepth: Bool {
      switch format {
      case .png, .jpegXL: true
      default: false
      }
    }
  }

  /// Returns the encoded file.
  ///
  /// Throws ``ImageCodecError/encodingFailed(_:)`` for sides that the format does not support, for qualities outside
  /// of 0…1, efforts outside of their range, and formats that are not part of the build, ``ImageCodecError/missingLibrary(_:)`` if
  /// libheif or libavif has no encoder, and ``ImageCodecError/outOfMemory``.
  public static func encode(_ image: Image, as encoding: Encoding) throws(ImageCodecError) -> [UInt8] {
    try encode(image, as: encoding, writing: .none)
  }

  static func encode(
    _ image: Image, as encoding: Encoding, writing metadata: WrittenMetadata
  ) throws(ImageCodecError) -> [UInt8] {
    try encoding.check(image.size)
    let narrow = encoding.keepsDepth ? image : try image.reducedTo8Bits()
    switch encoding {
    case .jpeg(let quality, let progressive):
      let file = try encodeJPEG(narrow, quality: percent(quality), isProgressive: progressive)
      guard let gainMap = image.gainMap else { return try adding(metadata, toJPEG: file) }
      return try adding(gainMap, to: file, quality: percent(quality), metadata)
    case .png:
      return adding(metadata, toPNG: try encodePNG(image))
    case .webp(let quality, let effort):
      guard (0...6).contains(effort) else { throw .encodingFailed("an effort of \(effort)") }
      let file = try encodeWebP(narrow, quality: percent(quality), effort: effort, isLossless: false)
      return adding(metadata, toWebP: file, of: narrow)
    case .losslessWebP:
      let file = try encodeWebP(narrow, quality: 100, effort: 4, isLossless: true)
      return adding(metadata, toWebP: file, of: narrow)
    case .gif:
      return try encodeGIF(narrow)
    case .avif(let quality), .heic(let quality):
      let file = try encodeBoxes(narrow, as: encoding.format, quality: percent(quality), metadata)
      guard let gainMap = image.gainMap, case .avif = encoding else { return file }
      return try adding(gainMap, toAVIF: file, quality: percent(quality))
    case .jpegXL(let quality, let effort):
      return try encodeJPEGXL(narrow, quality: percent(quality), effort: effort, metadata)
    case .losslessJPEGXL(let effort):
      return try encodeJPEGXL(narrow, quality: nil, effort: effort, metadata)
    }
  }

  static func percent(_ quality: Double) throws(ImageCodecError) -> Double {
    guard (0...1).contains(quality) else { throw .encodingFailed("a quality of \(quality)") }
    return quality * 100
  }
}
