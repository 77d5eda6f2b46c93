public import Foundation

/// A picture that was asked for.
public struct ImageResponse: Sendable {
  /// As the pipeline carried it out: a delegate may have changed it.
  public let request: ImageRequest
  /// The picture as decoders make it and memory caches keep it.
  public let decoded: DecodedImage

  package init(request: ImageRequest, decoded: DecodedImage) {
    self.request = request
    self.decoded = decoded
  }

  /// The picture, decoded and processed.
  public var image: Image { decoded.image }

  /// Whether better is to come.
  public var isPreview: Bool { decoded.isPreview }

  /// What the picture was decoded from.
  public var format: ImageFormat? { decoded.format }

  /// Where this very picture was found.
  ///
  /// `nil` if work was done to make it, even if it was made from bytes that were on disk; see ``origin``.
  public var cacheSource: CacheSource? { decoded.hit }

  /// Where the bytes came from.
  public var origin: ImageOrigin { decoded.origin }

  /// How many bytes the picture was decoded from.
  public var byteCount: Int { decoded.byteCount }

  /// Where the bytes were found, after redirects.
  public var url: URL? { decoded.url }

  /// How long the steps of the load took; `nil` if the bytes did not come from the network just now.
  public var timings: LoadTimings? { decoded.timings }

  /// What an ``HTTPCache`` had to do with the bytes; `nil` if none was asked just now.
  public var httpCacheStatus: CacheStatus? { decoded.httpCacheStatus }

  /// Whether part of the work had been begun for somebody else, and was shared.
  public var wasCoalesced: Bool { decoded.wasCoalesced }
}

extension ImageResponse: CustomStringConvertible {
  public var description: String {
    let source = cacheSource.map { "found in \($0)" } ?? "from \(origin)"
    return "\(image.width)x\(image.height), \(byteCount) bytes, \(source)\(isPreview ? ", preview" : "")"
  }
}

/// Bytes that were asked for.
public struct DataResponse: Sendable {
  /// As the pipeline carried it out: a delegate may have changed it.
  public let request: ImageRequest
  /// All of them, in the form in which they were loaded.
  public let data: Data

  /// Where the bytes were found, after redirects.
  public let url: URL?

  /// What the server called them. A hint.
  public let contentType: String?

  /// Where the bytes came from.
  public let origin: ImageOrigin

  /// As in ``ImageResponse/timings``.
  public let timings: LoadTimings?

  /// As in ``ImageResponse/httpCacheStatus``.
  public let httpCacheStatus: CacheStatus?

  /// Whether the load had been begun for somebody else, and was shared.
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

  /// A strong entity tag of the bytes, quotation marks included, for the header `ETag` of a server that sends them.
  ///
  /// The same on every machine: their number and their xxHash. It tells versions apart, and is no defence against one who
  /// makes images with the same tag on purpose.
  ///
  /// - Complexity: O(n) in the number of bytes.
  public var entityTag: String {
    let hash = data.withUnsafeBytes { XXHash64.hash($0) }
    return "\"\(String(data.count, radix: 16))-\(String(hash, radix: 16))\""
  }

  /// `.disk` if the bytes were found there, else `nil`.
  public var cacheSource: CacheSource? { origin == .disk ? .disk : nil }
}
