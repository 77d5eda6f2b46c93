/// The key of an image: its source and its processing.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Content: Hashable {
    case request(Variant)
    case custom(KeyText)
  }

  /// A class with a stored hash, because a cache copies, compares and hashes a key more often than one is made.
  private final class Storage: Sendable {
    let content: Content
    let hash: Int

    init(_ content: Content) {
      self.content = content
      hash = content.hashValue
    }
  }

  private let storage: Storage

  /// The key under which the pipeline stores the image of `request`.
  ///
  /// Requests that differ only in priority or caching options have the same key.
  public init(_ request: ImageRequest) {
    storage = Storage(.request(Variant(request, request.resourceKey)))
  }

  /// Creates a key of your own. It differs from the keys of all requests.
  public init(_ name: String) {
    storage = Storage(.custom(KeyText(name)))
  }

  public static func == (left: ImageCacheKey, right: ImageCacheKey) -> Bool {
    let (left, right) = (left.storage, right.storage)
    return left === right || left.hash == right.hash && left.content == right.content
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.hash) }
}

/// The source of an image, and its processing.
struct Variant: Hashable, Sendable {
  let resource: ResourceKey?
  // The bit pattern, because a key with NaN would not equal itself.
  let scale: UInt64
  let thumbnail: KeyText?
  let processors: [KeyText]
  let keptMetadata: KeptMetadata

  init(_ request: ImageRequest, _ resource: ResourceKey?) {
    self.resource = resource
    scale = request.scale.bitPattern
    thumbnail = request.thumbnail.map { KeyText($0.identifier) }
    processors = request.processors.map { KeyText($0.identifier) }
    keptMetadata = request.keptMetadata
  }
}
