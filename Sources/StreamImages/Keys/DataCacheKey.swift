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
