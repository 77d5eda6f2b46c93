/// The limits for decoding an untrusted file.
///
/// Sizes are checked in the header, before memory is allocated for pixels. Each limit except ``maximumMetadataBytes`` has its
/// own error: ``Size`` in ``ImageCodecError/tooLarge(width:height:limit:)``, ``Work`` in
/// ``ImageCodecError/limitExceeded(_:)``, and the deadline in ``ImageCodecError/deadlineExceeded``.
public struct DecodingLimits: Sendable, Hashable {
  /// The default limits.
  public static let `default` = DecodingLimits()

  /// The size of the file in bytes. 64 MiB.
  public var maximumEncodedBytes = 64 << 20

  /// The longest side of the stored image. 65,535; 65,500 for JPEG and 16,383 for WebP.
  public var maximumSide = 65_535

  /// The number of pixels decoded at once: of the stored image, or of a reduced one if the format can be decoded so.
  /// 50 million.
  public var maximumPixels = 50_000_000

  /// Their size in memory. 256 MiB. Rotating and resizing hold two images for a moment.
  public var maximumDecodedBytes = 256 << 20

  /// The rule for an image that exceeds ``maximumPixels`` or ``maximumDecodedBytes`` without a target. It fails by default.
  public var oversize = Oversize.fail

  /// The rule for a file that ends early. By default, it is shown if no pixel is missing.
  public var incomplete = Incomplete.acceptAllPixels

  /// The memory of the decoder besides the image, such as the coefficients of a progressive JPEG. 512 MiB.
  public var maximumWorkingBytes = 512 << 20

  /// The number of stored pixels per byte of the file, checked above ten million pixels. More is a decompression bomb.
  /// 5,000.
  public var maximumPixelsPerByte = 5_000

  /// The number of scans of a progressive JPEG, each of which processes the whole image. 64.
  public var maximumScans = 64

  /// The number of frames of an animation. 1,000.
  public var maximumFrames = 1_000

  /// The number of warnings of a codec library. 1,000.
  public var maximumWarnings = 1_000

  /// The size of a color profile after decompression. A larger one is dropped without an error. 4 MiB.
  public var maximumMetadataBytes = 4 << 20

  /// The time for one image, including resizing. 10 seconds. Checked between rows, and where a library cannot be interrupted
  /// within an image, before and after it.
  public var deadline: Duration = .seconds(10)

  /// Creates the default limits.
  public init() {}

  /// The rule for an image that is too large.
  public enum Oversize: Sendable, Hashable, CaseIterable {
    /// It fails with ``ImageCodecError/tooLarge(width:height:limit:)``.
    case fail
    /// A JPEG, or a lossy WebP without transparency, is decoded at the largest multiple of an eighth of its size that is within
    /// the limits. Others fail.
    case downscale
  }

  /// The rule for a file that ends early.
  public enum Incomplete: Sendable, Hashable, CaseIterable {
    /// It fails with ``ImageCodecError/truncated``, even if only an end mark is missing.
    case refuse
    /// It is shown if the file contains all pixels, and otherwise fails.
    case acceptAllPixels
    /// It is shown as ``ImageDecoder/decodeAvailable(_:options:isCancelled:)-(UnsafeRawBufferPointer,_,_)`` shows it,
    /// also if its data is damaged. An AVIF or HEIC fails nevertheless.
    case acceptAnyPixels
  }

  /// A limit on dimensions, with its value.
  public enum Size: Sendable, Hashable, CustomStringConvertible {
    /// The longer side.
    case side(Int)
    /// Width times height.
    case pixels(Int)
    /// The pixels in memory, in bytes.
    case bytes(Int)
    /// Pixels per byte of the file.
    case pixelsPerByte(Int)

    public var description: String {
      switch self {
      case .side(let limit): "at most \(limit) on a side"
      case .pixels(let limit): "at most \(limit) pixels"
      case .bytes(let limit): "at most \(limit) bytes of pixels"
      case .pixelsPerByte(let limit): "at most \(limit) pixels a byte"
      }
    }
  }

  /// A limit on work, with its value.
  public enum Work: Sendable, Hashable, CustomStringConvertible {
    /// The size of the file.
    case encodedBytes(Int)
    /// The memory besides the image.
    case workingBytes(Int)
    /// The scans of a progressive JPEG.
    case scans(Int)
    /// The frames of an animation.
    case frames(Int)
    /// The warnings of a codec library.
    case warnings(Int)
    /// The elements of a drawing, at the size to draw.
    case elements(Int)

    public var description: String {
      switch self {
      case .encodedBytes(let limit): "at most \(limit) bytes of data"
      case .workingBytes(let limit): "at most \(limit) bytes to work in"
      case .scans(let limit): "at most \(limit) scans"
      case .frames(let limit): "at most \(limit) frames"
      case .warnings(let limit): "at most \(limit) warnings"
      case .elements(let limit): "at most \(limit) elements at this size"
      }
    }
  }
}
