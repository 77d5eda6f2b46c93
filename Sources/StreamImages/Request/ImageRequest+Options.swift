extension ImageRequest {
  /// The priority of a request. Requests that share a load have the highest of their priorities.
  public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// From the lowest to the highest. `normal` is the default.
    case veryLow, low, normal, high, veryHigh

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  /// Options for caching and loading.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Does not read the memory cache.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// Does not store the image in the memory cache.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// Neither reads nor writes the memory cache.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// Does not read the disk cache.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Does not store the image or its bytes in the disk cache.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// Neither reads nor writes the disk cache.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]

    /// Loads the image again and replaces the cached one.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]

    /// Uses cached data only. Fails with ``ImagePipeline/Error/dataMissingInCache`` if there is none.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)

    /// Waits neither in the loading queue, nor until earlier bytes are decoded or stored.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 5)

    /// Delivers the result only after it has been stored on disk, or storing has failed.
    public static let waitForStorage = Options(rawValue: 1 << 6)

    static let affectingLoad: Options = [
      .disableDiskCacheReads, .returnCacheDataDontLoad, .skipDataLoadingQueue,
    ]
    static let affectingImage: Options = affectingLoad.union(.disableMemoryCacheReads)
  }
}

extension ImageRequest: CustomStringConvertible {
  /// Without secrets: user, password, query and headers are left out, and so are the values of ``userInfo``.
  public var description: String {
    var parts = ["\(source)"]
    if let imageID { parts.append("id \(imageID)") }
    if let integrity { parts.append("\(integrity)") }
    if scale != 1 { parts.append("scale \(scale)") }
    if let thumbnail { parts.append(thumbnail.identifier) }
    parts += processors.map(\.identifier)
    if let encoding { parts.append("as \(encoding)") }
    if !keptMetadata.isEmpty { parts.append("keeping \(keptMetadata)") }
    parts.append("\(priority)")
    if !options.isEmpty { parts.append("\(options)") }
    if !userInfo.isEmpty {
      parts.append("user info " + userInfo.keys.map(\.name).sorted().joined(separator: " "))
    }
    return parts.joined(separator: ", ")
  }
}

extension ImageRequest.Options: CustomStringConvertible {
  public var description: String {
    let names = Self.names.filter { contains($0.option) }.map(\.name)
    return "[\(names.joined(separator: " "))]"
  }

  private static let names: [(option: Self, name: String)] = [
    (.disableMemoryCacheReads, "disableMemoryCacheReads"),
    (.disableMemoryCacheWrites, "disableMemoryCacheWrites"),
    (.disableDiskCacheReads, "disableDiskCacheReads"), (.disableDiskCacheWrites, "disableDiskCacheWrites"),
    (.returnCacheDataDontLoad, "returnCacheDataDontLoad"), (.skipDataLoadingQueue, "skipDataLoadingQueue"),
    (.waitForStorage, "waitForStorage"),
  ]
}
