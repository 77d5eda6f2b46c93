internal import Dispatch
public import Foundation

/// A photo library in a directory. Each photo is a file, and each subdirectory an album.
///
/// A file appears whole or not at all, and never replaces another one.
public struct DirectoryLibrary: PhotoLibrary {
  /// The directory "StreamImages" in the user's pictures directory.
  public static let pictures = DirectoryLibrary(
    home: UserDirectory().pictures.map { .success($0 + "/StreamImages") } ?? .failure(.noPicturesDirectory))

  static let writing = DispatchQueue(label: "DirectoryLibrary")

  private let home: Result<String, PhotoLibraryError>
  private let albumNames: [String]

  var path: Result<String, PhotoLibraryError> { home.map { ([$0] + albumNames).joined(separator: "/") } }

  /// Creates a library in a directory.
  ///
  /// - Parameter directory: Created, with its parents, when the first photo is added.
  public init(directory: URL) { self.init(home: .success(directory.path)) }

  /// - Parameter albumNames: An album, and the albums that contain it.
  init(home: Result<String, PhotoLibraryError>, albumNames: [String] = []) {
    (self.home, self.albumNames) = (home, albumNames)
  }

  /// The album of that name. Not checked.
  func album(named name: String) -> DirectoryLibrary {
    DirectoryLibrary(home: home, albumNames: albumNames + [name])
  }

  /// Opens the directory, and creates it if it is missing. An album is a directory, and not a link to one.
  func makeDirectory() throws(SystemError) -> FileDescriptor {
    var directory = try FileDescriptor.makeDirectories(knownHome, synchronizes: true)
    for name in albumNames { directory = try directory.makeDirectory(name, synchronizes: true) }
    return directory
  }

  func openDirectory() throws(SystemError) -> FileDescriptor {
    var directory = try FileDescriptor.directory(knownHome)
    for name in albumNames { directory = try directory.directory(name) }
    return directory
  }

  /// Used only where ``path`` is known.
  private var knownHome: String { (try? home.get()) ?? "" }

  /// Returns whether the directory is writable or can be created, as far as that is known without trying.
  public func isAuthorized() async -> Bool {
    guard let path = try? path.get() else { return false }
    return await Self.writing.perform { nearestExisting(path).map(mayWrite(to:)) ?? false }
  }

  /// Creates the directory if it is missing.
  ///
  /// - Returns: Whether photos can be added to it.
  public func requestAuthorization() async -> Bool {
    do { try await perform { () throws(SystemError) in _ = try makeDirectory() } } catch { return false }
    return await isAuthorized()
  }

  /// Writes a photo into the directory.
  ///
  /// `name` is adapted to a valid file name, and numbered if it is taken: "Sunset.jpg", "Sunset 2.jpg". `nil` names
  /// the photo by its time: "Photograph 2026-11-22 03.09.12.jpg".
  ///
  /// - Returns: The name of the file.
  public func add(
    _ photo: Data, format: ImageFormat, named name: String? = nil
  ) async throws(PhotoLibraryError) -> String {
    try await perform { () throws(SystemError) in
      let directory = try makeDirectory()
      return try PhotoFile.put(
        photo, PhotoName(name ?? "", fileExtension: format.fileExtension, at: wallClock() / 1_000_000_000),
        in: directory)
    }
  }

  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(SystemError) -> Value
  ) async throws(PhotoLibraryError) -> Value {
    let path = try path.get()
    let result = await Self.writing.perform { Result { () throws(SystemError) in try work() } }
    do throws(SystemError) { return try result.get() } catch {
      if error.isFull { throw .diskFull }
      if error.isOutOfReach { throw .notAuthorized(path: path, reason: text(ofSystemError: error.code)) }
      throw .systemError(operation: error.operation, path: error.path, code: error.code)
    }
  }

  /// Returns the file of a photo, or `nil` if `identifier` is not valid.
  public func url(for identifier: String) -> URL? {
    guard let path = try? path.get(), PhotoName.isPlain(identifier) else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(identifier)
  }
}

/// The directory itself, or the first parent that exists; `nil` if that is a file.
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

extension DirectoryLibrary {
  /// Returns an album of this library: its subdirectory of that name. A link to a directory is no album, and fails when
  /// it is used.
  public func album(_ name: String) throws(PhotoLibraryError) -> DirectoryLibrary {
    guard PhotoName.isPlain(name) else { throw .badAlbumName(name) }
    _ = try path.get()
    return album(named: name)
  }

  /// Returns the names of the albums, sorted.
  public func albums() async throws(PhotoLibraryError) -> [String] { try await names { $0.isDirectory } }

  /// Returns the names of the photos, sorted. Other files are left out.
  public func photos() async throws(PhotoLibraryError) -> [String] {
    try await names { $0.isRegular }.filter { name in
      ImageFormat(fileExtension: (name as NSString).pathExtension) != nil
    }
  }

  private func names(
    where isMeant: @escaping @Sendable (FileStatus) -> Bool
  ) async throws(PhotoLibraryError) -> [String] {
    try await perform { () throws(SystemError) in
      let directory: FileDescriptor
      do throws(SystemError) { directory = try openDirectory() } catch {
        if error.isMissing { return [] }
        throw error
      }
      var names: [String] = []
      for name in try directory.names() where PhotoName.isPlain(name) {
        // A file that is gone, or whose name is not UTF-8, is not listed.
        if let status = try? directory.status(of: name), isMeant(status) { names.append(name) }
      }
      return names.sorted()
    }
  }
}

/// Writes photos as files: each appears whole or not at all, and never replaces another one.
enum PhotoFile {
  /// Written under another name first, so that only complete files are visible.
  static func put(
    _ photo: Data, _ name: PhotoName, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    let draft = ".\(UUID().uuidString).tmp"
    let file = try directory.newFile(draft, mode: 0o644)
    do throws(SystemError) {
      try file.writeWhole(Data(), photo)
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
  private static func publish(
    _ draft: String, _ name: PhotoName, in directory: borrowing FileDescriptor
  ) throws(SystemError) -> String {
    var number = 1
    while true {
      let candidate = name.numbered(number)
      do throws(SystemError) {
        try directory.rename(draft, toFree: candidate)
        return candidate
      } catch {
        guard error.isTaken else { throw error }
        number += 1
      }
    }
  }
}
