public import Foundation

/// The response to a request for an image.
public struct ImageResponse: Sendable {
  /// The request, as the pipeline executed it: a delegate may have changed it.
  public let request: ImageRequest
  /// The image with its metadata.
  public let decoded: DecodedImage

  package init(request: ImageRequest, decoded: DecodedImage) {
    self.request = request
    self.decoded = decoded
  }

  /// The decoded and processed image.
  public var image: Image { decoded.image }

  /// Whether the image is incomplete, and a better one follows.
  public var isPreview: Bool { decoded.isPreview }

  /// The format that the image was decoded from, if it is known.
  public var format: ImageFormat? { decoded.format }

  /// The metadata of the file; `nil` unless ``ImageRequest/keptMetadata`` asks for more than the color space.
  public var metadata: ImageMetadata? { decoded.metadata }

  /// The cache in which this image was found.
  ///
  /// `nil` if it was loaded or processed for this request, even if its bytes were on disk; see ``origin``.
  public var cacheSource: CacheSource? { decoded.hit }

  /// The origin of the bytes.
  public var origin: ImageOrigin { decoded.origin }

  /// The number of bytes that the image was decoded from; 0 if it was not decoded.
  public var byteCount: Int { decoded.byteCount }

  /// The URL of the bytes, after redirects.
  public var url: URL? { decoded.url }

  /// The duration of each step of the load; `nil` unless the bytes come from the network.
  public var timings: LoadTimings? { decoded.timings }

  /// How an ``HTTPCache`` produced the bytes; `nil` if none was involved.
  public var httpCacheStatus: CacheStatus? { decoded.httpCacheStatus }

  /// Whether work was shared with an earlier request.
  public var wasCoalesced: Bool { decoded.wasCoalesced }
}

extension ImageResponse: CustomStringConvertible {
  public var description: String {
    let source = cacheSource.map { "found in \($0)" } ?? "from \(origin)"
    return "\(image.width)x\(image.height), \(byteCount) bytes, \(source)\(isPreview ? ", preview" : "")"
  }
}

/// The response to a request for bytes.
public struct DataResponse: Sendable {
  /// The request, as the pipeline executed it: a delegate may have changed it.
  public let request: ImageRequest
  /// The bytes.
  public let data: Data

  /// The URL of the bytes, after redirects.
  public let url: URL?

  /// The type that the server sent, a hint; or that of an encoded image.
  public let contentType: String?

  /// The origin of the bytes, or of the image that was encoded.
  public let origin: ImageOrigin

  /// See ``ImageResponse/timings``.
  public let timings: LoadTimings?

  /// See ``ImageResponse/httpCacheStatus``.
  public let httpCacheStatus: CacheStatus?

  /// Whether the work was shared with an earlier request for the same bytes.
  public let wasCoalesced: Bool

  package init(request: ImageRequest, encoded: EncodedImage) {
    timings = encoded.timings
    httpCacheStatus = encoded.httpCacheStatus
    wasCoalesced = encoded.wasCoalesced
    self.request = request
    data = encoded.data
    url = encoded.url
    contentType = encoded.contentType
    origin = encoded.origin
  }

  /// A strong entity tag of the bytes with its quotation marks, for the `ETag` header of a server that sends them.
  ///
  /// It is made of their number and their xxHash, and is the same on every machine. It distinguishes versions, but
  /// does not protect against images that were made to have the same tag.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public var entityTag: String {
    let hash = data.withUnsafeBytes { XXHash64.hash($0, seed: 0) }
    return "\"\(String(data.count, radix: 16))-\(String(hash, radix: 16))\""
  }

  /// `.disk` if that is the ``origin``, otherwise `nil`.
  public var cacheSource: CacheSource? { origin == .disk ? .disk : nil }
}
