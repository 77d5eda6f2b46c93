internal import Dispatch
public import Foundation

/// A library that is a directory: each photograph is a file.
///
/// A file appears whole or not at all, and never takes the place of another. Directories in it are albums.
public struct DirectoryLibrary: PhotoLibrary {
  /// The directory "StreamImages" among the user's pictures.
  public static let pictures = DirectoryLibrary(
    path: UserDirectory().pictures.map { .success($0 + "/StreamImages") } ?? .failure(.noPicturesDirectory))

  static let writing = DispatchQueue(label: "DirectoryLibrary")

  let path: Result<String, PhotoLibraryError>

  /// A library in this directory.
  ///
  /// - Parameter directory: Made, with those above it, when the first photograph is added.
  public init(directory: URL) { self.init(path: .success(directory.path)) }

  init(path: Result<String, PhotoLibraryError>) { self.path = path }

  /// Whether the directory may be written to, or made where it is to be, as far as can be told without trying.
  public func isAuthorized() async -> Bool {
    guard let path = try? path.get() else { return false }
    return await Self.writing.perform { nearestExisting(path).map(mayWrite(to:)) ?? false }
  }

  /// Makes the directory, if it is not there.
  ///
  /// - Returns: Whether photographs may be added to it.
  public func requestAuthorization() async -> Bool {
    guard let path = try? path.get() else { return false }
    let isMade = await Self.writing.perform { () -> Bool in
      do throws(SystemError) {
        _ = try Descriptor.makeDirectories(path)
        return true
      } catch {
        return false
      }
    }
    return isMade ? await isAuthorized() : false
  }

  /// Writes a photograph into the directory.
  ///
  /// `name` is kept as far as it can be the name of a file, with a number behind it if it is taken: "Sunset.jpg",
  /// "Sunset 2.jpg". `nil` names it by its time: "Photograph 2026-11-22 03.09.12.jpg".
  ///
  /// - Returns: The name of the file.
  public func add(
    _ photo: Data, format: ImageFormat, named name: String? = nil
  ) async throws(PhotoLibraryError) -> String {
    let path = try path.get()
    let result = await Self.writing.perform { () -> Result<String, SystemError> in
      Result { () throws(SystemError) in
        try PhotoFile.put(photo, PhotoName(name ?? "", fileExtension: format.fileExtension), in: path)
      }
    }
    return try Self.checked(result, path)
  }

  static func checked<Value>(
    _ result: Result<Value, SystemError>, _ path: String
  ) throws(PhotoLibraryError) -> Value {
    do throws(SystemError) { return try result.get() } catch {
      if error.isFull { throw .diskFull }
      if error.isOutOfReach { throw .notAuthorized(path: path, reason: text(ofSystemError: error.code)) }
      throw .systemError(operation: error.operation, path: error.path, code: error.code)
    }
  }

  /// The file of a photograph; `nil` if `identifier` cannot be one of this library.
  public func url(for identifier: String) -> URL? {
    guard let path = try? path.get(), !identifier.isEmpty, !identifier.contains("/"),
      !identifier.hasPrefix(".")
    else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(identifier)
  }
}

/// The directory itself, or the first above it that is there; `nil` if that is a file.
private func nearestExisting(_ path: String) -> String? {
  var path = path
  var isDirectory: ObjCBool = false
  while !FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
    let parent = (path as NSString).deletingLastPathComponent
    guard parent != path, !parent.isEmpty else { return nil }
    path = parent
  }
  return isDirectory.boolValue ? path : nil
}
