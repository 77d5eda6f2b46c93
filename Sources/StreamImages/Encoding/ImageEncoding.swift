public import Foundation

/// Makes bytes of pictures, for the cache on disk.
///
/// It is called on a thread of the pipeline's own. One of the pipeline's decoders must be able to read the result.
public protocol ImageEncoding: Sendable {
  /// Makes bytes of `image`, or throws.
  func encode(_ image: Image) throws -> Data
}

/// The encoders that come with the library.
public enum ImageEncoders {
  /// JPEG for opaque pictures, PNG for others.
  public struct Default: ImageEncoding {
    /// Of JPEG; 0 to 1.
    public var quality: Double

    /// An encoder of this quality, from 0 to 1.
    public init(quality: Double = 0.9) { self.quality = quality }

    public func encode(_ image: Image) throws -> Data {
      let encoding: ImageEncoder.Encoding = image.pixelFormat.hasAlpha ? .png : .jpeg(quality: quality)
      return Data(try ImageEncoder.encode(image, as: encoding))
    }
  }

  /// One format for all pictures.
  public struct Fixed: ImageEncoding {
    /// The format, and how it is written.
    public var encoding: ImageEncoder.Encoding

    /// Beyond it, quality is lowered; `nil` for no limit. A picture that takes more at any quality is not kept.
    public var maximumByteCount: Int?

    /// An encoder that always makes this, within `maximumByteCount` if there is one.
    public init(encoding: ImageEncoder.Encoding, maximumByteCount: Int? = nil) {
      self.encoding = encoding
      self.maximumByteCount = maximumByteCount
    }

    public func encode(_ image: Image) throws -> Data {
      guard let maximumByteCount else { return Data(try ImageEncoder.encode(image, as: encoding)) }
      return Data(try ImageEncoder.encode(image, as: encoding, maximumByteCount: maximumByteCount))
    }
  }
}
