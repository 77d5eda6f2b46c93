internal import Foundation

extension DirectoryLibrary {
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
}
