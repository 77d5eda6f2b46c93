import Foundation
import StreamImages
import Studio

/// The output folder.
@MainActor
struct Album {
  private let path: String
  private let library: DirectoryLibrary

  init(_ path: String) {
    self.path = path
    library = DirectoryLibrary(directory: URL(fileURLWithPath: path, isDirectory: true))
  }

  /// Saves one picture after the other, and says under which name.
  ///
  /// - Returns: Whether all were saved.
  func save(_ pictures: [Image]) async -> Bool {
    let names = pictures.publisher
      .setFailureType(to: PhotoWriter.Error.self)
      .flatMap(maxPublishers: .max(1)) { [library] in PhotoWriter.save($0, to: library) }

    do throws(PhotoWriter.Error) {
      try await names.run { [path] name in Console.say("             saved as \(path)/\(name)") }
      return true
    } catch {
      Console.complain("\(path): \(error)")
      return false
    }
  }
}
