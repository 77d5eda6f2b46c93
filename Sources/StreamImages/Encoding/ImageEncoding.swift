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

  /// Returns the encoded image with a part of the metadata of the file it was decoded from.
  ///
  /// Called in place of ``encode(_:)`` if ``ImageRequest/keptMetadata`` is not empty. By default, it calls that, and no metadata
  /// is kept. An image of a closure has none.
  func encode(_ image: Image, keeping kept: KeptMetadata, of metadata: ImageMetadata) throws -> Data
}

extension ImageEncoding {
  public func encode(_ image: Image, keeping kept: KeptMetadata, of metadata: ImageMetadata) throws -> Data {
    try encode(image)
  }

  /// Returns the encoded image.
  ///
  /// - Parameter original: The file it was decoded from, if it was not changed.
  func encode(_ decoded: DecodedImage, from original: Data? = nil, keeping kept: KeptMetadata) throws -> Data
  {
    if let original, kept.isEmpty || ImageFormat(of: original) == .gif {
      return try encode(decoded.image, decodedFrom: original)
    }
    return kept.isEmpty
      ? try encode(decoded.image)
      : try encode(decoded.image, keeping: kept, of: decoded.metadata ?? ImageMetadata())
  }

  public func encode(_ image: Image, decodedFrom original: Data) throws -> Data {
    ImageFormat(of: original) == .gif ? original : try encode(image)
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
      Data(try ImageEncoder.encode(image, as: encoding(of: image)))
    }

    public func encode(
      _ image: Image, keeping kept: KeptMetadata, of metadata: ImageMetadata
    ) throws -> Data {
      Data(try ImageEncoder.encode(image, as: encoding(of: image), keeping: kept, of: metadata))
    }

    private func encoding(of image: Image) -> ImageEncoder.Encoding {
      let isPlain = !image.pixelFormat.hasAlpha && image.pixelFormat.bitsPerChannel == 8
      return isPlain ? .jpeg(quality: quality) : .png
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
      try encode(image, keeping: .none, of: ImageMetadata())
    }

    public func encode(
      _ image: Image, keeping kept: KeptMetadata, of metadata: ImageMetadata
    ) throws -> Data {
      guard let maximumByteCount else {
        return Data(try ImageEncoder.encode(image, as: encoding, keeping: kept, of: metadata))
      }
      return Data(
        try ImageEncoder.encode(
          image, as: encoding, maximumByteCount: maximumByteCount, keeping: kept, of: metadata))
    }
  }
}
