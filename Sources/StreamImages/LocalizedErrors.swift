public import Foundation
public import ImageCodecs

// What `localizedDescription` says. Without it, that is "The operation could not be completed", with the number of the case.

extension ImagePipeline.Error: LocalizedError {
  public var errorDescription: String? { description }
}

extension DataLoadingError: LocalizedError {
  public var errorDescription: String? { description }
}

extension DataCacheError: LocalizedError {
  public var errorDescription: String? { description }
}

extension PhotoWriter.Error: LocalizedError {
  public var errorDescription: String? { description }
}

extension PhotoLibraryError: LocalizedError {
  public var errorDescription: String? { description }
}

extension ImageCodecError: LocalizedError {
  public var errorDescription: String? { description }
}
