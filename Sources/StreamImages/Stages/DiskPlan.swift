internal import Foundation

/// Decides what a request reads from the disk cache and writes to it.
package struct DiskPlan: Equatable {
  /// Whether the loaded bytes are stored.
  package let storesOriginal: Bool
  /// Whether the processed image is stored.
  package let storesVariant: Bool

  /// - Parameters:
  ///   - isFresh: Whether the bytes are lost unless they are stored.
  ///   - hit: The cache in which the image was found. It need not be stored again.
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
      // Other sizes of a thumbnail are likely to follow, and are made from the same bytes.
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

  /// The URL of a file does not change with its content.
  private static func keepsVariants(of request: ImageRequest) -> Bool { request.url?.isFileURL != true }
}
