public import Foundation

/// Where photographs are kept for their owner.
public protocol PhotoLibrary: Sendable {
  /// Whether photographs may be added. Adding one may still fail.
  func isAuthorized() async -> Bool

  /// Adds a photograph; when this returns, it is there, also if the machine stops.
  ///
  /// - Returns: What the library calls it. No two photographs are called the same.
  func add(_ photo: Data, format: ImageFormat) async throws(PhotoLibraryError) -> String
}

/// Why a library did not take a photograph. It then has nothing of it.
public enum PhotoLibraryError: Error, Sendable, Hashable {
  /// The place may not be written to, or cannot be made.
  case notAuthorized(path: String, reason: String)

  /// Neither `XDG_PICTURES_DIR` nor `HOME` is an absolute path.
  case noPicturesDirectory

  case diskFull

  /// The system refused; `code` is an `errno`.
  case systemError(operation: String, path: String?, code: Int32)
}

extension PhotoLibraryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAuthorized(let path, let reason): "Photographs may not be added to \(path): \(reason)."
    case .noPicturesDirectory:
      "There is no directory for pictures: neither XDG_PICTURES_DIR nor HOME is an absolute path."
    case .diskFull: "The disk is full."
    case .systemError(let operation, let path, let code):
      SystemError(operation: operation, path: path, code: code).description
    }
  }
}
