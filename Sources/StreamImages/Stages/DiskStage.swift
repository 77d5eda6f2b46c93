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
    guard let key = variantKey(request) else { return nil }
    return await read(key, for: request)
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
    guard let key = originalKey(request) else { return nil }
    return await read(key, for: request)
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
    guard let key = DataCacheKey.variant(request) else { return }
    await forget(key, for: request)
  }

  func forgetOriginal(_ request: ImageRequest) async {
    guard let key = DataCacheKey.original(request) else { return }
    recents.forget(key)
    await forget(key, for: request)
  }

  private func forget(_ key: DataCacheKey, for request: ImageRequest) async {
    await pendingWrites.drop(key)
    await dependencies.dataCache(for: request)?.remove(key)
  }

  func read(_ key: DataCacheKey, for request: ImageRequest) async -> EncodedImage? {
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
