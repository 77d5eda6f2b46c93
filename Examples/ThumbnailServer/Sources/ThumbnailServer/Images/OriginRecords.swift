internal import Foundation
internal import StreamImages
internal import Synchronization

/// What origins allow, for the images that were loaded and the thumbnails that were read lately.
final class OriginRecords: Sendable {
  /// Thousands of requests may be in flight. A response whose record is not here any more is not stored by anybody.
  private static let limit = 20_000

  private struct State {
    var records: [String: OriginCaching] = [:]
    /// Those before the limit was last reached, which are forgotten when it is reached again.
    var earlier: [String: OriginCaching] = [:]
  }

  private let state = Mutex(State())

  subscript(key: String) -> OriginCaching? {
    get { state.withLock { $0.records[key] ?? $0.earlier[key] } }
    set {
      let forgotten = state.withLock { state -> [String: OriginCaching] in
        state.records[key] = newValue
        if newValue == nil { state.earlier[key] = nil }
        guard state.records.count >= Self.limit else { return [:] }
        let forgotten = state.earlier
        (state.earlier, state.records) = (state.records, [:])
        return forgotten
      }
      withExtendedLifetime(forgotten) {}
    }
  }

  /// Has the image loaded again if it is not fresh any more. The pipeline keeps images that were loaded a moment ago.
  func renewIfStale(_ request: inout ImageRequest) {
    guard self[request.sourceKey]?.isFresh(now: Int(Date().timeIntervalSince1970)) == false else { return }
    request.options.insert(.disableDiskCacheReads)
    forget(request.thumbnailKey, of: request.sourceKey)
  }

  /// Forgets a thumbnail that is made anew, perhaps of another image: what was known of the old one must not be passed
  /// on with it. What has no processors has the record of the image.
  fileprivate func forget(_ thumbnailKey: String, of sourceKey: String) {
    if thumbnailKey != sourceKey { self[thumbnailKey] = nil }
  }

  /// What is known of a thumbnail that was just delivered: what was stored with it, or else what is known of its image,
  /// because it was made now.
  func record(of request: ImageRequest) -> OriginCaching? {
    self[request.thumbnailKey] ?? self[request.sourceKey]
  }
}

extension ImageRequest {
  fileprivate var sourceKey: String { imageID ?? url?.absoluteString ?? "" }

  fileprivate var thumbnailKey: String {
    var key = sourceKey
    for processor in processors { key += "\n" + processor.identifier }
    if let encoding { key += "\n\(encoding)" }
    return key
  }
}

/// Records what origins allow, and has thumbnails made anew that are not fresh any more.
struct OriginDelegate: ImagePipelineDelegate {
  let records: OriginRecords
  let loader: any DataLoading
  let cache: any DataCaching
  let encoders: PreferredQuality.Delegate

  func encoder(for request: ImageRequest) -> (any ImageEncoding)? { encoders.encoder(for: request) }

  func dataLoader(for request: ImageRequest) -> (any DataLoading)? {
    request.url == nil ? nil : RecordingLoader(records: records, key: request.sourceKey, loader: loader)
  }

  func dataCache(for request: ImageRequest) -> (any DataCaching)? {
    request.url == nil
      ? nil
      : FreshThumbnails(
        records: records, sourceKey: request.sourceKey, thumbnailKey: request.thumbnailKey, cache: cache)
  }

  func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
    request.url == nil || records[request.sourceKey]?.isStorable ?? false ? data : nil
  }
}

private struct RecordingLoader: DataLoading {
  let records: OriginRecords
  let key: String
  let loader: any DataLoading

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let start = Int(Date().timeIntervalSince1970)
    let loaded = try await loader.load(request, limits: limits)
    records[key] = OriginCaching(
      loaded.head.headers, requestTime: start, now: Int(Date().timeIntervalSince1970),
      usual: Thumbnails.Settings.usualMaxAge)
    return loaded
  }
}

/// The cache of one thumbnail, whose entry is a miss once it is not fresh any more.
private struct FreshThumbnails: DataCaching {
  let records: OriginRecords
  let sourceKey: String
  let thumbnailKey: String
  let cache: any DataCaching

  func data(for key: DataCacheKey) async -> CachedData? { fresh(await cache.data(for: key)) }

  func immediateData(for key: DataCacheKey) -> CachedData? { fresh(cache.immediateData(for: key)) }

  func store(_ data: CachedData, for key: DataCacheKey) async throws(DataCacheError) {
    var data = data
    if let record = records[sourceKey] {
      data.attributes.merge(record.attributes) { _, new in new }
      records[thumbnailKey] = record
    }
    try await cache.store(data, for: key)
  }

  func contains(_ key: DataCacheKey) async -> Bool { await cache.contains(key) }
  func remove(_ key: DataCacheKey) async { await cache.remove(key) }
  func removeAll() async { await cache.removeAll() }

  private func fresh(_ found: CachedData?) -> CachedData? {
    guard let found, let record = OriginCaching(found.attributes),
      record.isFresh(now: Int(Date().timeIntervalSince1970))
    else {
      records.forget(thumbnailKey, of: sourceKey)
      return nil
    }
    records[thumbnailKey] = record
    return found
  }
}
