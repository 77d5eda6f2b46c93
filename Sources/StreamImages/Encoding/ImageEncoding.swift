public import Foundation

/// Encodes images, for the disk cache and for ``ImagePipeline/encodedImage(for:)-(ImageRequest)``.
///
/// It is called on a thread of the pipeline. One of the pipeline's decoders must be able to decode the result.
public protocol ImageEncoding: Sendable {
  /// Returns the encoded image.
  func encode(_ image: Image) throws -> Data

  /// Returns the encoded image. It was decoded from `original` and not changed.
  ///
  /// By default, a GIF is returned as it is, because the image is only one of its frames. Other images are encoded.
  func encode(_ image: Image, decodedFrom original: Data) throws -> Data
}

extension ImageEncoding {
  public func encode(_ image: Image, decodedFrom original: Data) throws -> Data {
    ImageFormat(sniffing: original.prefix(ImageFormat.sniffingLength)) == .gif ? original : try encode(image)
  }
}

/// The included encoders.
public enum ImageEncoders {
  /// Encodes images without an alpha channel as JPEG, and others as PNG. Images with sixteen bits per channel are encoded as
  /// PNG too.
  public struct Default: ImageEncoding {
    /// The quality of JPEG, from 0 to 1.
    public var quality: Double

    /// Creates an encoder with a quality from 0 to 1.
    public init(quality: Double = 0.9) { self.quality = quality }

    public func encode(_ image: Image) throws -> Data {
      let isPlain = !image.pixelFormat.hasAlpha && image.pixelFormat.bitsPerChannel == 8
      return Data(try ImageEncoder.encode(image, as: isPlain ? .jpeg(quality: quality) : .png))
    }
  }

  /// Encodes all images in one format.
  public struct Fixed: ImageEncoding {
    /// The format and its parameters.
    public var encoding: ImageEncoder.Encoding

    /// The largest number of bytes, or `nil` for no limit. The quality is lowered to keep it. An image that needs more at
    /// any quality fails.
    public var maximumByteCount: Int?

    /// Creates an encoder for one format.
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
