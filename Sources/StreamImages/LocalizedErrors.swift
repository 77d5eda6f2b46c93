public import Foundation
public import ImageCodecs

// What `localizedDescription` says. Without it, that is "The operation could not be completed", with the number of the case.

extension ImagePipeline.Error: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}

extension DataLoadingError: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}

extension DataCacheError: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}

extension PhotoWriter.Error: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}

extension PhotoLibraryError: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}

extension ImageCodecError: LocalizedError {
  /// The description, which `localizedDescription` returns, too.
  public var errorDescription: String? { description }
}
