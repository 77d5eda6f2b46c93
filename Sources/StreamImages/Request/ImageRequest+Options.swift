extension ImageRequest {
  /// How urgent a request is. Where requests share work, the most urgent one counts.
  public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// From what can wait to what cannot; `normal` unless said otherwise.
    case veryLow, low, normal, high, veryHigh

    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
  }

  /// What may be read and written on the way.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A picture that is in memory is not taken from there.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// The picture is not kept in memory.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// As if there were no cache in memory.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]
    /// Bytes and pictures that are on disk are not taken from there.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Neither bytes nor picture are kept on disk.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// As if there were no cache on disk.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]

    /// Loads anew, and replaces what the caches have.
    public static let reloadIgnoringCachedData: Options = [.disableMemoryCacheReads, .disableDiskCacheReads]

    /// Takes what the caches have, or fails with ``ImagePipeline/Error/dataMissingInCache``.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 4)

    /// Loads at once, without waiting for one of the pipeline's loading slots.
    public static let skipDataLoadingQueue = Options(rawValue: 1 << 5)

    /// Delivers the picture, or its bytes, once what is to be kept on disk is there, or has failed to get there.
    public static let waitForStorage = Options(rawValue: 1 << 6)

    static let affectingLoad: Options = [
      .disableDiskCacheReads, .returnCacheDataDontLoad, .skipDataLoadingQueue,
    ]
    static let affectingImage: Options = affectingLoad.union(.disableMemoryCacheReads)
  }
}
