internal import Foundation

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
    let path = try path.get()
    let result = await Self.writing.perform { () -> Result<[String], SystemError> in
      Result { () throws(SystemError) in
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
    return try Self.checked(result, path)
  }
}
