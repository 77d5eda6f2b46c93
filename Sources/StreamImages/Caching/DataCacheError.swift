/// Why a cache on disk cannot keep something. Loading goes on without.
public enum DataCacheError: Error, Sendable, Hashable {
  /// Neither `XDG_CACHE_HOME` nor `HOME` is an absolute path.
  case noCacheDirectory
  /// A name of a cache has to be a file name of letters, digits, ".", "_" and "-" that does not begin with ".".
  case badName(String)
  /// The directory belongs to somebody else, or somebody else may write to it.
  case untrustedDirectory(path: String)
  /// What one entry may take is less than this one takes, in bytes.
  case entryTooLarge(byteCount: Int, limit: Int)
  /// The disk, or the user's share of it, is full, even after old entries were removed.
  case diskFull
  /// The picture could not be made into bytes.
  case encodingFailed(reason: String)
  /// The system refused; `code` is an `errno`.
  case systemError(operation: String, path: String?, code: Int32)
}

extension DataCacheError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noCacheDirectory:
      "There is no directory for caches: neither XDG_CACHE_HOME nor HOME is an absolute path."
    case .badName(let name): "\"\(name)\" is no name for a cache."
    case .untrustedDirectory(let path): "\(path) belongs to, or can be changed by, somebody else."
    case .entryTooLarge(let byteCount, let limit):
      "An entry of \(byteCount) bytes is above the limit of \(limit)."
    case .diskFull: "The disk is full."
    case .encodingFailed(let reason): "The picture could not be encoded: \(reason)."
    case .systemError(let operation, let path, let code):
      SystemError(operation: operation, path: path, code: code).description
    }
  }
}

extension DataCacheError {
  init(_ error: SystemError, _ directory: String) {
    if error.isDistrust {
      self = .untrustedDirectory(path: directory)
    } else if error.isFull {
      self = .diskFull
    } else {
      self = .systemError(operation: error.operation, path: error.path, code: error.code)
    }
  }
}
