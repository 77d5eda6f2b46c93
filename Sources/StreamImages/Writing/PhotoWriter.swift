internal import Foundation
public import Streams

/// Saves images as photos.
///
/// ```swift
/// PhotoWriter.save(collage)
///   .sink { _ in
///   } receiveValue: { identifier in
///     lastSaved = identifier
///   }
///   .store(in: &subscriptions)
/// ```
public enum PhotoWriter {
  /// Why an image was not saved. ``code`` is a stable identifier for logs and metrics.
  public enum Error: Swift.Error, Sendable {
    /// The library did not save the photo, and gave no reason.
    case couldNotSavePhoto
    /// An `ImageCodecError` or a ``PhotoLibraryError``.
    case generic(any Swift.Error)
  }

  /// Encodes an image and adds it to a library.
  ///
  /// Like every `Future`, it starts at once, runs once, and delivers its result to every subscriber: the name of the
  /// photo in the library. It completes even without a subscriber.
  ///
  /// `name` is the preferred name; `nil` if any name will do.
  public static func save(
    _ image: Image, to library: any PhotoLibrary = DirectoryLibrary.pictures,
    as encoding: ImageEncoder.Encoding = .jpeg(quality: 0.9), named name: String? = nil
  ) -> Future<String, Error> {
    Future { promise in
      Task.detached {
        do {
          let photo = try await queue.run(DynamicPriority(.normal)) { _ in
            Result { () throws(ImageCodecError) in Data(try ImageEncoder.encode(image, as: encoding)) }
          }
          let identifier = try await library.add(
            try photo.get(), format: encoding.format, named: name)
          promise(identifier.isEmpty ? .failure(.couldNotSavePhoto) : .success(identifier))
        } catch {
          promise(.failure(.generic(error)))
        }
      }
    }
  }

  /// Returns whether photos can be added to a library.
  public static func isAuthorized(in library: any PhotoLibrary) -> Future<Bool, Never> {
    Future { promise in
      Task.detached { promise(.success(await library.isAuthorized())) }
    }
  }

  /// Requests permission to add photos to a library. Starts at once, and runs once.
  public static func requestAuthorization(
    in library: any PhotoLibrary = DirectoryLibrary.pictures
  ) -> Future<Bool, Never> {
    Future { promise in
      Task.detached { promise(.success(await library.requestAuthorization())) }
    }
  }

  /// Whether photos can be added to ``DirectoryLibrary/pictures``.
  public static var isAuthorized: Future<Bool, Never> { isAuthorized(in: DirectoryLibrary.pictures) }

  private static let queue = WorkQueue("saving", width: 1)
}

extension PhotoWriter.Error: CustomStringConvertible {
  public var description: String {
    switch self {
    case .couldNotSavePhoto: "The library did not save the photo."
    case .generic(let error): "The photo could not be saved: \(error)"
    }
  }
}

extension PhotoWriter.Error {
  /// A stable identifier for logs and metrics: `writer.` and the name of the case, without its values.
  ///
  /// An error of a library or a codec has the code of that error. Codes do not change between versions.
  /// <doc:/Guides/errors> lists them.
  public var code: String {
    switch self {
    case .couldNotSavePhoto: "writer.could-not-save-photo"
    case .generic(let error as PhotoLibraryError): error.code
    case .generic(let error as ImageCodecError): error.code
    case .generic: "writer.generic"
    }
  }
}
