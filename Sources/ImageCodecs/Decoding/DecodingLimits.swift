/// What a stranger's file may cost.
///
/// Sizes are checked in the header, before anything is allocated for pixels. Every limit has an error of its
/// own: ``Size`` in ``ImageCodecError/tooLarge(width:height:limit:)``, ``Work`` in
/// ``ImageCodecError/limitExceeded(_:)``, and the deadline in ``ImageCodecError/deadlineExceeded``.
public struct DecodingLimits: Sendable, Hashable {
  /// The values named below.
  public static let `default` = DecodingLimits()

  /// Of the file. 64 MiB.
  public var maximumEncodedBytes = 64 << 20

  /// Of the stored image. 65,535, and never more than the format can express or 32,767 where it can express
  /// anything.
  public var maximumSide = 65_535

  /// Pixels decoded at once: of the stored image, or of the reduced one where a format can be decoded at a
  /// reduced size. 50 million.
  public var maximumPixels = 50_000_000

  /// The same in memory. 256 MiB. Turning and resizing hold two images for a moment.
  public var maximumDecodedBytes = 256 << 20

  /// What becomes of a picture of more pixels or bytes than that, if it is wanted as a whole. An error, unless it is set.
  public var oversize = Oversize.fail

  /// What a decoder needs besides the image, such as the coefficients of a progressive JPEG. 384 MiB.
  public var maximumWorkingBytes = 384 << 20

  /// Stored pixels for each byte of the file, looked at above ten million pixels: more is a bomb, not a
  /// picture. 5,000.
  public var maximumPixelsPerByte = 5_000

  /// Scans of a progressive JPEG; each walks the whole image again. 64.
  public var maximumScans = 64

  /// Frames read of one animation. 1,000.
  public var maximumFrames = 1_000

  /// Harmless oddities that a codec library complains about. 1,000.
  public var maximumWarnings = 1_000

  /// Of a color profile, after decompression; a larger one is dropped, which is no error. 4 MiB.
  public var maximumMetadataBytes = 4 << 20

  /// For one image, resizing included. 10 seconds. Looked at between rows.
  public var deadline: Duration = .seconds(10)

  /// The same as ``default``, to be changed.
  public init() {}

  /// What becomes of a picture that is too large.
  public enum Oversize: Sendable, Hashable, CaseIterable {
    /// ``ImageCodecError/tooLarge(width:height:limit:)``.
    case fail
    /// It is decoded at the largest eighth of its size that is within the limits, if it is a JPEG, or a WebP without
    /// transparency; else it is an error as well.
    case downscale
  }

  /// A limit on dimensions, with its value.
  public enum Size: Sendable, Hashable, CustomStringConvertible {
    /// The longer side.
    case side(Int)
    /// Width times height.
    case pixels(Int)
    /// Pixels in memory.
    case bytes(Int)
    /// Pixels for each byte of the file.
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

  /// A limit on effort, with its value.
  public enum Work: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    case encodedBytes(Int)
    /// Memory besides the image.
    case workingBytes(Int)
    /// Passes over a progressive JPEG.
    case scans(Int)
    /// Frames of an animation.
    case frames(Int)
    /// Oddities in the file.
    case warnings(Int)
    /// Of a drawing, at the size that is wanted.
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
