public import Foundation

/// A library that photos can be added to.
public protocol PhotoLibrary: Sendable {
  /// Returns whether photos can be added. Adding one may still fail.
  func isAuthorized() async -> Bool

  /// Requests the user's permission to add photos, if that is not decided yet. Returns ``isAuthorized()`` by default.
  func requestAuthorization() async -> Bool

  /// Adds a photo. When this returns, the photo is stored, even if the machine crashes.
  ///
  /// `name` is the preferred name; `nil` if any name will do.
  ///
  /// - Returns: The name in the library. It is unique.
  func add(
    _ photo: Data, format: ImageFormat, named name: String?
  ) async throws(PhotoLibraryError) -> String
}

extension PhotoLibrary {
  public func requestAuthorization() async -> Bool { await isAuthorized() }

  /// Adds a photo with a name that the library chooses.
  public func add(_ photo: Data, format: ImageFormat) async throws(PhotoLibraryError) -> String {
    try await add(photo, format: format, named: nil)
  }
}

/// Why an operation of a photo library failed.
///
/// ``code`` is a stable identifier for logs and metrics.
public enum PhotoLibraryError: Error, Sendable, Hashable {
  /// The directory is not writable, or cannot be created.
  case notAuthorized(path: String, reason: String)

  /// Neither `XDG_PICTURES_DIR` nor `HOME` is an absolute path.
  case noPicturesDirectory

  /// The name of the album is empty, has a slash or a zero byte, or begins with a dot.
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

extension PhotoLibraryError {
  /// A stable identifier for logs and metrics: `library.` and the name of the case, without its values.
  ///
  /// Codes do not change between versions. <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .notAuthorized: "library.not-authorized"
    case .noPicturesDirectory: "library.no-pictures-directory"
    case .badAlbumName: "library.bad-album-name"
    case .diskFull: "library.disk-full"
    case .systemError: "library.system-error"
    }
  }
}
