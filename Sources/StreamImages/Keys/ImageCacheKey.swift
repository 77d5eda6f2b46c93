/// The key of an image: its source and its processing.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case request(Variant)
    case custom(KeyText)
  }

  private let content: Content

  /// The key under which the pipeline stores the image of `request`.
  ///
  /// Requests that differ only in priority or caching options have the same key.
  public init(_ request: ImageRequest) {
    content = .request(Variant(request, request.resourceKey))
  }

  /// Creates a key of your own. It differs from the keys of all requests.
  public init(_ name: String) {
    content = .custom(KeyText(name))
  }
}

/// The source of an image, and its processing.
struct Variant: Hashable, Sendable {
  let resource: ResourceKey?
  // The bit pattern, because a key with NaN would not equal itself.
  let scale: UInt64
  let thumbnail: KeyText?
  let processors: [KeyText]

  init(_ request: ImageRequest, _ resource: ResourceKey?) {
    self.resource = resource
    scale = request.scale.bitPattern
    thumbnail = request.thumbnail.map { KeyText($0.identifier) }
    processors = request.processors.map { KeyText($0.identifier) }
  }
}
