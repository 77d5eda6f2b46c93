internal import Foundation
internal import Streams

/// DecodedImage ─▶ (), in memory at once, on disk in its own time.
struct StoreStage: Sendable {
  let memory: (any ImageCaching)?
  let disk: (any DataCaching)?
  let policy: ImagePipeline.DataCachePolicy
  let encoder: any ImageEncoding
  let queue: WorkQueue
  let backlog: Backlog
  let recents: RecentOriginals
  let onError: (@Sendable (DataCacheError) -> Void)?

  /// Keeps what was delivered, and the bytes it was made of. Half and failed things do not come here.
  func callAsFunction(_ decoded: DecodedImage, for request: ImageRequest) {
    guard !decoded.isPreview, request.source != nil else { return }
    if decoded.hit != .memory, !request.options.contains(.disableMemoryCacheWrites) {
      memory?[ImageCacheKey(request)] = decoded
    }
    let plan = DiskPlan(request, policy, isFresh: decoded.fresh != nil, hit: decoded.hit)
    if let fresh = decoded.fresh {
      if plan.storesOriginal { storeOriginal(fresh, for: request) } else { remember(fresh, for: request) }
    }
    if plan.storesVariant { storeVariant(decoded, for: request) }
  }

  /// Keeps bytes that were wanted as such.
  func callAsFunction(_ encoded: EncodedImage, for request: ImageRequest) {
    let plan = DiskPlan(request, policy, isFresh: encoded.origin == .network, hit: nil)
    if plan.storesOriginal { storeOriginal(encoded, for: request) }
  }

  /// Loading waits here while much is to be written: what waits to be written is in memory.
  func waitForRoom() async { await backlog.waitForRoom() }

  /// Waits until all that was given so far is stored.
  func flush() async { await backlog.waitUntilEmpty() }

  /// Not where the bytes are never to be kept.
  private func remember(_ encoded: EncodedImage, for request: ImageRequest) {
    guard policy == .automatic, disk != nil, !request.isLocal,
      !request.options.contains(.disableDiskCacheWrites), let key = DataCacheKey.original(request)
    else { return }
    recents.keep(encoded, for: key)
  }

  private func storeOriginal(_ encoded: EncodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.original(request) else { return }
    store(key, encoded, byteCount: encoded.data.count) { () throws(DataCacheError) in encoded.cached }
  }

  private func storeVariant(_ decoded: DecodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.variant(request) else { return }
    let (encoder, queue) = (encoder, queue)
    store(key, nil, byteCount: decoded.image.byteCount) { () throws(DataCacheError) in
      // The task is never cancelled, so the queue itself does not throw.
      let encoded = try? await queue.run(Urgency(.low)) { _ in Result { try encoder.encode(decoded.image) } }
      switch encoded {
      case .success(let data):
        return EncodedImage(data, origin: .disk, url: decoded.url, contentType: nil).cached
      case .failure(let error): throw .encodingFailed(reason: "\(error)")
      case nil: throw .encodingFailed(reason: "cancelled")
      }
    }
  }

  private func store(
    _ key: DataCacheKey, _ encoded: EncodedImage?, byteCount: Int,
    _ make: @escaping @Sendable () async throws(DataCacheError) -> CachedData
  ) {
    // Several who waited for one job store the same at the same moment.
    guard let disk, backlog.begin(key, byteCount, encoded) else { return }
    let (backlog, onError) = (backlog, onError)
    Task.detached {
      do throws(DataCacheError) { try await disk.store(try await make(), for: key) } catch { onError?(error) }
      backlog.end(key, byteCount)
    }
  }
}
