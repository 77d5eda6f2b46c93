/// The key of an entry in a ``DataCaching``.
public struct DataCacheKey: Hashable, Sendable {
  /// Everything that identifies the entry. Different keys have different bytes.
  ///
  /// A cache should store these bytes and compare them on reading, because names can collide or be forged.
  public let bytes: [UInt8]

  /// The SHA-256 hash of ``bytes`` as 64 hexadecimal digits, usable as a file name. Computed on each access.
  public var name: String { SHA256.hex(bytes) }

  /// Creates a key of your own. It differs from the keys of all requests.
  public init(_ name: String) {
    var canonical = CanonicalBytes("stream-images custom 1")
    canonical.append(name)
    self.init(canonical)
  }

  /// The key of the loaded bytes.
  ///
  /// - Returns: `nil` if the request has no source.
  package static func original(_ request: ImageRequest) -> DataCacheKey? {
    guard let resource = request.resourceKey else { return nil }
    var canonical = CanonicalBytes("stream-images original 1")
    resource.append(to: &canonical)
    return DataCacheKey(canonical)
  }

  /// The key of the processed image.
  package static func variant(_ request: ImageRequest) -> DataCacheKey? {
    guard let resource = request.resourceKey else { return nil }
    var canonical = CanonicalBytes("stream-images variant 1")
    resource.append(to: &canonical)
    canonical.append("\(request.scale)")
    canonical.append(request.thumbnail?.identifier)
    canonical.append(request.processors.map(\.identifier))
    if let encoding = request.encoding { canonical.append(encoding.identifier) }
    if !request.keptMetadata.isEmpty { canonical.append("keeping \(request.keptMetadata.rawValue)") }
    return DataCacheKey(canonical)
  }

  package init(_ canonical: CanonicalBytes) { bytes = canonical.bytes }
}

extension ImageEncoder.Encoding {
  /// Stable across versions, because files on disk are named after it.
  fileprivate var identifier: String {
    switch self {
    case .jpeg(let quality, let isProgressive): "jpeg \(quality)\(isProgressive ? " progressive" : "")"
    case .png: "png"
    case .webp(let quality, let effort): "webp \(quality) \(effort)"
    case .losslessWebP: "webp lossless"
    case .gif: "gif"
    case .avif(let quality): "avif \(quality)"
    case .heic(let quality): "heic \(quality)"
    case .jpegXL(let quality, let effort): "jxl \(quality) \(effort)"
    case .losslessJPEGXL(let effort): "jxl lossless \(effort)"
    }
  }
}

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
  public init(_ name: String) { storage = Storage(.custom(KeyText(name))) }

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
