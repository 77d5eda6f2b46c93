extension DataCacheError {
  /// A stable identifier for logs and metrics: `cache.` and the name of the case, without its values.
  ///
  /// Codes do not change between versions. <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .noCacheDirectory: "cache.no-cache-directory"
    case .badName: "cache.bad-name"
    case .untrustedDirectory: "cache.untrusted-directory"
    case .entryTooLarge: "cache.entry-too-large"
    case .diskFull: "cache.disk-full"
    case .encodingFailed: "cache.encoding-failed"
    case .systemError: "cache.system-error"
    }
  }
}
