public import Foundation

/// Where photographs are kept for their owner.
public protocol PhotoLibrary: Sendable {
  /// Whether photographs may be added. Adding one may still fail.
  func isAuthorized() async -> Bool

  /// Asks the owner whether photographs may be added, if that has not been decided. By default it has.
  func requestAuthorization() async -> Bool

  /// Adds a photograph; when this returns, it is there, also if the machine stops.
  ///
  /// `name` is what it is to be called, as far as that is possible; `nil` if that does not matter.
  ///
  /// - Returns: What the library calls it. No two photographs are called the same.
  func add(
    _ photo: Data, format: ImageFormat, named name: String?
  ) async throws(PhotoLibraryError) -> String
}

extension PhotoLibrary {
  public func requestAuthorization() async -> Bool { await isAuthorized() }

  /// The same for a photograph whose name does not matter.
  public func add(_ photo: Data, format: ImageFormat) async throws(PhotoLibraryError) -> String {
    try await add(photo, format: format, named: nil)
  }
}

/// Why a library did not add a photograph. Nothing of it was kept.
///
/// ``code`` is a stable identifier for logs and metrics.
public enum PhotoLibraryError: Error, Sendable, Hashable {
  /// The directory is not writable, or cannot be created.
  case notAuthorized(path: String, reason: String)

  /// Neither `XDG_PICTURES_DIR` nor `HOME` is an absolute path.
  case noPicturesDirectory

  /// The name of the album is empty, has a slash, or begins with a dot.
  case badAlbumName(String)

  /// The disk or the user's quota is full.
  case diskFull

  /// A call to the operating system failed. `code` is an `errno`.
  case systemError(operation: String, path: String?, code: Int32)
}

extension PhotoLibraryError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .notAuthorized(let path, let reason): "Photos cannot be added to \(path): \(reason)."
    case .noPicturesDirectory:
      "There is no pictures directory: neither XDG_PICTURES_DIR nor HOME is an absolute path."
    case .badAlbumName(let name): "\"\(name)\" is not a valid name for an album."
    case .diskFull: "The disk is full."
    case .systemError(let operation, let path, let code):
      SystemError(operation: operation, path: path, code: code).description
    }
  }
}
