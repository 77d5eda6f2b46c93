public import Foundation
public import StreamImages
internal import Streams

/// A library that answers as it is told, and keeps a list of what it was given.
public final class ScriptedLibrary: PhotoLibrary {
  private let answer: Result<String, PhotoLibraryError>
  private let taken = Guarded<[(format: ImageFormat, name: String?)]>([])

  /// A library that answers this.
  ///
  /// - Parameter answer: What it says to each photograph. A failure also means that none may be added.
  public init(_ answer: Result<String, PhotoLibraryError>) { self.answer = answer }

  /// Of what was added, in order.
  public var formats: [ImageFormat] { taken.withLock { $0.map(\.format) } }

  /// Under which names things were added, in order.
  public var names: [String?] { taken.withLock { $0.map(\.name) } }

  public func isAuthorized() async -> Bool { (try? answer.get()) != nil }

  public func add(
    _ photo: Data, format: ImageFormat, named name: String?
  ) async throws(PhotoLibraryError) -> String {
    taken.withLock { $0.append((format, name)) }
    return try answer.get()
  }
}
