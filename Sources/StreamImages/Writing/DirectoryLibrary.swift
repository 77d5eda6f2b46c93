internal import Dispatch
public import Foundation

/// A library that is a directory: each photograph is a file.
///
/// A file appears whole or not at all, and never takes the place of another. Directories in it are albums.
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

  /// - Parameter name: Kept as far as it can be the name of a file, with a number behind it if it is taken: "Sunset.jpg",
  ///   "Sunset 2.jpg". `nil` makes a name that nobody else has.
  /// - Returns: The name of the file.
  public func add(
    _ photo: Data, format: ImageFormat, named name: String? = nil
  ) async throws(PhotoLibraryError) -> String {
    let path = try path.get()
    let result = await Self.writing.perform { () -> Result<String, SystemError> in
      Result { () throws(SystemError) in
        try put(photo, PhotoName(name ?? "", fileExtension: format.fileExtension), in: path)
      }
    }
    return try Self.checked(result, path)
  }

  // MARK: Albums

  /// An album of this library: the directory of that name in this one's.
  public func album(_ name: String) throws(PhotoLibraryError) -> DirectoryLibrary {
    guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
      throw .badAlbumName(name)
    }
    return DirectoryLibrary(path: .success(try path.get() + "/" + name))
  }

  /// The names of the albums, in order.
  public func albums() async throws(PhotoLibraryError) -> [String] { try await names { $0.isDirectory } }

  /// The names of the photographs, in order. Whatever else is there is left out.
  public func photos() async throws(PhotoLibraryError) -> [String] {
    try await names { $0.isRegular }.filter { name in
      ImageFormat(fileExtension: (name as NSString).pathExtension) != nil
    }
  }

  private func names(
    where isMeant: @escaping @Sendable (FileStatus) -> Bool
  ) async throws(PhotoLibraryError) -> [String] {
    let path = try path.get()
    let result = await Self.writing.perform { () -> Result<[String], SystemError> in
      Result { () throws(SystemError) in
        let directory: Descriptor
        do throws(SystemError) { directory = try Descriptor.directory(path) } catch {
          if error.isMissing { return [] }
          throw error
        }
        var names: [String] = []
        for name in try directory.names() where !name.hasPrefix(".") {
          if isMeant(try directory.status(of: name)) { names.append(name) }
        }
        return names.sorted()
      }
    }
    return try Self.checked(result, path)
  }

  private static func checked<Value>(
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

/// Under another name first: whoever looks at the directory sees whole files only.
private func put(_ photo: Data, _ name: PhotoName, in path: String) throws(SystemError) -> String {
  let directory = try Descriptor.makeDirectories(path)
  let draft = ".\(UUID().uuidString).tmp"
  let file = try directory.newFile(draft, mode: 0o644)
  do throws(SystemError) {
    try file.write(photo)
    try file.synchronize()
    let taken = try publish(draft, name, in: directory)
    try directory.synchronize()
    return taken
  } catch {
    try? directory.remove(draft)
    throw error
  }
}

/// - Returns: The first name that was free.
private func publish(
  _ draft: String, _ name: PhotoName, in directory: borrowing Descriptor
) throws(SystemError) -> String {
  guard name.isReadable else {
    let unique = name.unique
    try directory.rename(draft, to: directory, as: unique)
    return unique
  }
  var number = 1
  while true {
    let candidate = name.numbered(number)
    do throws(SystemError) {
      // A link fails if there is such a file, whoever made it and when.
      try directory.link(draft, as: candidate)
      try directory.remove(draft)
      return candidate
    } catch {
      guard error.isTaken else { throw error }
      number += 1
    }
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
