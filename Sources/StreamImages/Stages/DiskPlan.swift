internal import Foundation

/// What of a picture is read from the disk, and what is written to it. Decided by values, here only.
package struct DiskPlan: Equatable {
  /// The bytes as they were loaded.
  package let storesOriginal: Bool
  /// The picture as it was delivered.
  package let storesVariant: Bool

  /// - Parameters:
  ///   - isFresh: Whether the bytes came from the network just now.
  ///   - hit: Where this very picture was found; what was found need not be stored.
  package init(
    _ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy, isFresh: Bool, hit: CacheSource?
  ) {
    guard !request.options.contains(.disableDiskCacheWrites) else {
      (storesOriginal, storesVariant) = (false, false)
      return
    }
    let wantsOriginal =
      switch policy {
      case .storeOriginalData, .storeAll: true
      case .storeEncodedImages: false
      // A thumbnail is one of several sizes, most likely: the next is made from the same bytes.
      case .automatic: request.processors.isEmpty
      }
    let wantsVariant =
      switch policy {
      case .storeOriginalData: false
      case .automatic, .storeAll: request.isReencoded
      case .storeEncodedImages: request.isReencoded || !request.isLocal
      }
    storesOriginal = wantsOriginal && isFresh && !request.isLocal
    storesVariant = wantsVariant && hit == nil && Self.keepsVariants(of: request)
  }

  static func readsVariant(_ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy) -> Bool {
    !request.options.contains(.disableDiskCacheReads) && keepsVariants(of: request)
      && (request.isReencoded || policy == .storeEncodedImages)
  }

  static func readsOriginal(_ request: ImageRequest) -> Bool {
    !request.options.contains(.disableDiskCacheReads) && !request.isLocal
  }

  /// Nothing in the URL of a file tells that its content has changed.
  private static func keepsVariants(of request: ImageRequest) -> Bool { request.url?.isFileURL != true }
}
