internal import Dispatch
public import Foundation

/// A library that is a directory: each photograph is a file.
///
/// A file appears whole or not at all, and never takes the place of another.
public struct DirectoryLibrary: PhotoLibrary {
  /// The directory "StreamImages" among the user's pictures.
  public static let pictures = DirectoryLibrary(
    path: UserDirectory().pictures.map { .success($0 + "/StreamImages") } ?? .failure(.noPicturesDirectory))

  private static let writing = DispatchQueue(label: "DirectoryLibrary")

  private let path: Result<String, PhotoLibraryError>

  /// - Parameter directory: Made, with those above it, when the first photograph is added.
  public init(directory: URL) { self.init(path: .success(directory.path)) }

  private init(path: Result<String, PhotoLibraryError>) { self.path = path }

  /// Whether the directory may be written to, or made where it is to be, as far as can be told without trying.
  public func isAuthorized() async -> Bool {
    guard let path = try? path.get() else { return false }
    return await Self.writing.perform { nearestExisting(path).map(mayWrite(to:)) ?? false }
  }

  /// - Returns: The name of the file.
  public func add(_ photo: Data, format: ImageFormat) async throws(PhotoLibraryError) -> String {
    let path = try path.get()
    let name = "\(UUID().uuidString).\(format.fileExtension)"
    let result = await Self.writing.perform { () -> Result<Void, SystemError> in
      Result { () throws(SystemError) in try put(photo, name, in: path) }
    }
    do throws(SystemError) { try result.get() } catch {
      if error.isFull { throw .diskFull }
      if error.isOutOfReach { throw .notAuthorized(path: path, reason: text(ofSystemError: error.code)) }
      throw .systemError(operation: error.operation, path: error.path, code: error.code)
    }
    return name
  }

  /// The file of a photograph; `nil` if `identifier` cannot be one of this library.
  public func url(for identifier: String) -> URL? {
    guard let path = try? path.get(), !identifier.isEmpty, !identifier.contains("/"),
      !identifier.hasPrefix(".")
    else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(identifier)
  }
}

/// Under another name first: whoever looks at the directory sees whole files only.
private func put(_ photo: Data, _ name: String, in path: String) throws(SystemError) {
  let directory = try Descriptor.makeDirectories(path)
  let draft = ".\(name).tmp"
  let file = try directory.newFile(draft, mode: 0o644)
  do throws(SystemError) {
    try file.write(photo)
    try file.synchronize()
    try directory.rename(draft, to: directory, as: name)
    try directory.synchronize()
  } catch {
    try? directory.remove(draft)
    throw error
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
