/// Why a disk cache could not store something. Loading continues without it.
///
/// ``code`` is a stable identifier for logs and metrics.
public enum DataCacheError: Error, Sendable, Hashable {
  /// Neither `XDG_CACHE_HOME` nor `HOME` is an absolute path.
  case noCacheDirectory
  /// The name of the cache is not valid. It may contain letters, digits, ".", "_" and "-", and must not begin with
  /// ".".
  case badName(String)
  /// Another user owns the directory or may write to it.
  case untrustedDirectory(path: String)
  /// The entry is larger than the limit for one entry, in bytes.
  case entryTooLarge(byteCount: Int, limit: Int)
  /// The disk or the user's quota is full.
  case diskFull
  /// The image could not be encoded.
  case encodingFailed(reason: String)
  /// A call to the operating system failed. `code` is an `errno`.
  case systemError(operation: String, path: String?, code: Int32)
}

extension DataCacheError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noCacheDirectory:
      "There is no cache directory: neither XDG_CACHE_HOME nor HOME is an absolute path."
    case .badName(let name): "\"\(name)\" is not a valid name for a cache."
    case .untrustedDirectory(let path): "\(path) is owned by another user, or writable by others."
    case .entryTooLarge(let byteCount, let limit):
      "The entry has \(byteCount) bytes; the limit is \(limit)."
    case .diskFull: "The disk is full."
    case .encodingFailed(let reason): "The image could not be encoded: \(reason)."
    case .systemError(let operation, let path, let code):
      SystemError(operation: operation, path: path, code: code).description
    }
  }
}

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

  package init(_ error: SystemError, _ directory: String) {
    if error.isDistrust {
      self = .untrustedDirectory(path: directory)
    } else if error.isFull {
      self = .diskFull
    } else {
      self = .systemError(operation: error.operation, path: error.path, code: error.code)
    }
  }
}
