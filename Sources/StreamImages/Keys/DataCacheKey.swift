/// The name of what a ``DataCaching`` keeps.
public struct DataCacheKey: Hashable, Sendable {
  /// All that distinguishes the entry, so encoded that different things have different bytes.
  ///
  /// A cache should keep these, and compare them when it reads: a name may collide or be forged.
  public let bytes: [UInt8]

  /// The SHA-256 of ``bytes`` as 64 hexadecimal digits: safe as a file name. Computed each time it is asked for.
  public var name: String { SHA256.hex(bytes) }

  /// A key of your own. It equals no key of a request.
  public init(_ name: String) {
    var canonical = CanonicalBytes("stream-images custom 1")
    canonical.append(name)
    self.init(canonical)
  }

  /// The bytes as they were loaded.
  ///
  /// - Returns: `nil` if the request has no URL.
  package static func original(_ request: ImageRequest) -> DataCacheKey? {
    guard let resource = request.resourceKey else { return nil }
    var canonical = CanonicalBytes("stream-images original 1")
    resource.append(to: &canonical)
    return DataCacheKey(canonical)
  }

  /// The picture as it was delivered, encoded.
  package static func variant(_ request: ImageRequest) -> DataCacheKey? {
    guard let resource = request.resourceKey else { return nil }
    var canonical = CanonicalBytes("stream-images variant 1")
    resource.append(to: &canonical)
    canonical.append("\(request.scale)")
    canonical.append(request.thumbnail?.identifier)
    canonical.append(request.processors.map(\.identifier))
    if let encoding = request.encoding { canonical.append(encoding.identifier) }
    return DataCacheKey(canonical)
  }

  package init(_ canonical: CanonicalBytes) { bytes = canonical.bytes }
}

extension ImageEncoder.Encoding {
  /// The same in every build, as files on disk are named after it.
  fileprivate var identifier: String {
    switch self {
    case .jpeg(let quality, let isProgressive): "jpeg \(quality)\(isProgressive ? " progressive" : "")"
    case .png: "png"
    case .webp(let quality, let effort): "webp \(quality) \(effort)"
    case .losslessWebP: "webp lossless"
    case .avif(let quality): "avif \(quality)"
    case .heic(let quality): "heic \(quality)"
    }
  }
}
