/// Which picture is meant: the bytes it comes from, and what was done to them.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case request(Variant)
    case custom(String)
  }

  private let content: Content

  /// The key under which the pipeline keeps the picture of `request`.
  ///
  /// Requests that differ in priority or in caching options only have one key.
  public init(_ request: ImageRequest) {
    content = .request(Variant(request, request.resourceKey))
  }

  /// A key of your own. It equals no key of a request.
  public init(_ name: String) {
    content = .custom(name)
  }
}

/// The bytes, and what is made of them.
struct Variant: Hashable, Sendable {
  let resource: ResourceKey?
  // Not the numbers themselves: a key with one that is none would not equal itself.
  let scale: UInt64
  let thumbnail: String?
  let processors: [String]

  init(_ request: ImageRequest, _ resource: ResourceKey?) {
    self.resource = resource
    scale = request.scale.bitPattern
    thumbnail = request.thumbnail?.identifier
    processors = request.processors.map(\.identifier)
  }
}
