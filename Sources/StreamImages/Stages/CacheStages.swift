internal import Foundation

/// ImageRequest ─▶ EncodedImage, if it is on disk.
struct DiskStage: Sendable {
  let dependencies: ResolvedDependencies
  let policy: ImagePipeline.DataCachePolicy
  let pendingWrites: PendingWrites
  let recents: RecentOriginals

  /// The key of the processed image, if it may be read from the disk.
  func variantKey(_ request: ImageRequest) -> DataCacheKey? {
    DiskPlan.readsVariant(request, policy) ? DataCacheKey.variant(request) : nil
  }

  /// The key of the loaded bytes, if they may be read from the disk.
  private func originalKey(_ request: ImageRequest) -> DataCacheKey? {
    DiskPlan.readsOriginal(request) ? DataCacheKey.original(request) : nil
  }

  /// The processed image, encoded.
  func variant(_ request: ImageRequest) async -> EncodedImage? {
    await read(variantKey(request), for: request)
  }

  /// The processed image, encoded, if it is in memory: waiting to be written, or in a cache that keeps bytes there.
  func immediateVariant(_ request: ImageRequest) -> EncodedImage? {
    guard let key = variantKey(request) else { return nil }
    let cache = dependencies.dataCache(for: request)
    let staged = staged(key, in: cache)
    if staged.isPending { return staged.encoded }
    return cache?.immediateData(for: key).map { EncodedImage($0) }
  }

  /// The loaded bytes, if they were loaded recently or are on disk, in this order: a reload may have loaded newer ones.
  func original(_ request: ImageRequest) async -> EncodedImage? {
    guard let key = originalKey(request) else { return nil }
    if let recent = recents[key] { return recent.kept }
    return await read(key, for: request)
  }

  /// The loaded bytes, if they are on disk or waiting to be written.
  func storedOriginal(_ request: ImageRequest) async -> EncodedImage? {
    await read(originalKey(request), for: request)
  }

  /// Whether the loaded bytes seem to be there. They are not read.
  func hasOriginal(_ request: ImageRequest) async -> Bool {
    await contains(originalKey(request), for: request)
  }

  /// Whether the processed image seems to be there. It is not read.
  func hasVariant(_ request: ImageRequest) async -> Bool { await contains(variantKey(request), for: request) }

  private func contains(_ key: DataCacheKey?, for request: ImageRequest) async -> Bool {
    guard let key else { return false }
    let cache = dependencies.dataCache(for: request)
    let staged = staged(key, in: cache)
    if staged.isPending { return staged.encoded != nil }
    return await cache?.contains(key) ?? false
  }

  func forgetVariant(_ request: ImageRequest) async {
    await forget(DataCacheKey.variant(request), for: request)
  }

  func forgetOriginal(_ request: ImageRequest) async {
    await forget(DataCacheKey.original(request), for: request)
  }

  private func forget(_ key: DataCacheKey?, for request: ImageRequest) async {
    guard let key else { return }
    recents.forget(key)
    await pendingWrites.drop(key)
    await dependencies.dataCache(for: request)?.remove(key)
  }

  func read(_ key: DataCacheKey?, for request: ImageRequest) async -> EncodedImage? {
    guard let key else { return nil }
    let cache = dependencies.dataCache(for: request)
    let staged = staged(key, in: cache)
    if staged.isPending { return staged.encoded }
    return await cache?.data(for: key).map { EncodedImage($0) }
  }

  private func staged(
    _ key: DataCacheKey, in cache: (any DataCaching)?
  ) -> (isPending: Bool, encoded: EncodedImage?) {
    var staged = pendingWrites.read(key, in: cache?.identity)
    staged.encoded = staged.encoded?.kept
    staged.encoded?.origin = .disk
    return staged
  }
}

extension EncodedImage {
  /// Without the metadata of the load itself.
  fileprivate var kept: EncodedImage {
    var kept = self
    (kept.timings, kept.httpCacheStatus, kept.wasCoalesced) = (nil, nil, false)
    return kept
  }

  private static let urlAttribute = "url"
  private static let typeAttribute = "type"

  init(_ cached: CachedData) {
    self.init(
      cached.data, origin: .disk, url: cached.attributes[Self.urlAttribute].flatMap { URL(string: $0) },
      contentType: cached.attributes[Self.typeAttribute])
  }

  /// The entry for the disk cache. Its URL has no user and password. A data URL is not stored, because it is as long as
  /// the image.
  var cached: CachedData {
    var attributes: [String: String] = [:]
    attributes[Self.typeAttribute] = contentType
    if let url, url.scheme?.lowercased() != "data" {
      attributes[Self.urlAttribute] = CanonicalURL(url, isWhole: true).text
    }
    return CachedData(data, attributes: attributes)
  }
}

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

/// ImageRequest ─▶ DecodedImage, synchronously, if it is in memory, and its file has not changed.
struct MemoryStage: Sendable {
  let dependencies: ResolvedDependencies

  func callAsFunction(_ request: ImageRequest) -> DecodedImage? {
    guard !request.options.contains(.disableMemoryCacheReads), !request.source.isMissing,
      var image = dependencies.imageCache(for: request)?[ImageCacheKey(request)],
      image.fileVersion?.isCurrent != false
    else { return nil }
    image.hit = .memory
    image.origin = .memory
    // Its bytes were stored when it was, or were not to be stored.
    image.fresh = nil
    (image.timings, image.httpCacheStatus, image.wasCoalesced) = (nil, nil, false)
    return image
  }
}
