public import Foundation
public import StreamImages
internal import Streams

/// A photo library with a fixed result that records the photos to add, also if adding fails.
public final class ScriptedLibrary: PhotoLibrary {
  private let answer: Result<String, PhotoLibraryError>
  private let taken = Guarded<[(format: ImageFormat, name: String?)]>([])

  /// Creates a library.
  ///
  /// - Parameter answer: The result of adding a photo. A failure also means that adding is not authorized.
  public init(_ answer: Result<String, PhotoLibraryError>) { self.answer = answer }

  /// The formats of the photos, in order.
  public var formats: [ImageFormat] { taken.withLock { $0.map(\.format) } }

  /// The names of the photos, in order.
  public var names: [String?] { taken.withLock { $0.map(\.name) } }

  public func isAuthorized() async -> Bool { (try? answer.get()) != nil }

  public func add(
    _ photo: Data, format: ImageFormat, named name: String?
  ) async throws(PhotoLibraryError) -> String {
    taken.withLock { $0.append((format, name)) }
    return try answer.get()
  }
}
