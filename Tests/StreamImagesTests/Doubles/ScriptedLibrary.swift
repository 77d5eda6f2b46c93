import Foundation
import StreamImages

/// A library that answers as it is told, and keeps what it was given.
final class ScriptedLibrary: PhotoLibrary {
  private let answer: Result<String, PhotoLibraryError>
  private let taken = Shared<[ImageFormat]>([])

  init(_ answer: Result<String, PhotoLibraryError>) { self.answer = answer }

  var formats: [ImageFormat] { taken.value }

  func isAuthorized() async -> Bool { (try? answer.get()) != nil }

  func add(_ photo: Data, format: ImageFormat) async throws(PhotoLibraryError) -> String {
    taken.change { $0.append(format) }
    return try answer.get()
  }
}
