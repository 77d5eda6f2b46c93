internal import Foundation

/// ImageRequest ─▶ EncodedImage, if it is on disk.
struct DiskStage: Sendable {
  let parts: Parts
  let policy: ImagePipeline.DataCachePolicy
  let backlog: Backlog
  let recents: RecentOriginals

  /// The picture as it was delivered before.
  func variant(_ request: ImageRequest) async -> EncodedImage? {
    guard DiskPlan.readsVariant(request, policy), let key = DataCacheKey.variant(request) else { return nil }
    return await read(key, for: request)
  }

  /// The same, if it is in memory: on its way to the disk, or in a cache that keeps bytes there.
  func immediateVariant(_ request: ImageRequest) -> EncodedImage? {
    guard DiskPlan.readsVariant(request, policy), let key = DataCacheKey.variant(request) else { return nil }
    if let staged = staged(key) { return staged }
    return parts.dataCache(for: request)?.immediateData(for: key).map { EncodedImage($0) }
  }

  /// The bytes as they were loaded before. Those that are not on disk, but were loaded a moment ago, are still the
  /// network's.
  func original(_ request: ImageRequest) async -> EncodedImage? {
    guard DiskPlan.readsOriginal(request), let key = DataCacheKey.original(request) else { return nil }
    if let found = await read(key, for: request) { return found }
    return recents[key].map(\.kept)
  }

  /// The same, but only if they are on disk, or on their way there.
  func storedOriginal(_ request: ImageRequest) async -> EncodedImage? {
    guard DiskPlan.readsOriginal(request), let key = DataCacheKey.original(request) else { return nil }
    return await read(key, for: request)
  }

  /// Whether there seem to be bytes as they were loaded. They are not read.
  func hasOriginal(_ request: ImageRequest) async -> Bool {
    guard DiskPlan.readsOriginal(request), let key = DataCacheKey.original(request) else { return false }
    if backlog[key] != nil { return true }
    return await parts.dataCache(for: request)?.contains(key) ?? false
  }

  /// The same for the picture as it was delivered.
  func hasVariant(_ request: ImageRequest) async -> Bool {
    guard DiskPlan.readsVariant(request, policy), let key = DataCacheKey.variant(request) else {
      return false
    }
    if backlog[key] != nil { return true }
    return await parts.dataCache(for: request)?.contains(key) ?? false
  }

  /// Bytes that turned out to be of no use.
  func forgetVariant(_ request: ImageRequest) async {
    guard let key = DataCacheKey.variant(request) else { return }
    await backlog.drop(key)
    await parts.dataCache(for: request)?.remove(key)
  }

  func forgetOriginal(_ request: ImageRequest) async {
    guard let key = DataCacheKey.original(request) else { return }
    recents.forget(key)
    await backlog.drop(key)
    await parts.dataCache(for: request)?.remove(key)
  }

  private func read(_ key: DataCacheKey, for request: ImageRequest) async -> EncodedImage? {
    if let staged = staged(key) { return staged }
    return await parts.dataCache(for: request)?.data(for: key).map { EncodedImage($0) }
  }

  private func staged(_ key: DataCacheKey) -> EncodedImage? {
    guard var staged = backlog[key]?.kept else { return nil }
    staged.origin = .disk
    return staged
  }
}

extension EncodedImage {
  /// Without what is only true of the load itself.
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

  /// As it is kept. User and password of the URL are not.
  var cached: CachedData {
    var attributes: [String: String] = [:]
    attributes[Self.typeAttribute] = contentType
    attributes[Self.urlAttribute] = url.map { CanonicalURL($0).text }
    return CachedData(data, attributes: attributes)
  }
}
