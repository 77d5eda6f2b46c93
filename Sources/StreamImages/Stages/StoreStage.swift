internal import Foundation
internal import Streams

/// DecodedImage ─▶ (), in memory at once, on disk in its own time.
struct StoreStage: Sendable {
  let parts: Parts
  let policy: ImagePipeline.DataCachePolicy
  let queue: WorkQueue
  let backlog: Backlog
  let recents: RecentOriginals
  let onError: (@Sendable (DataCacheError) -> Void)?

  /// Keeps what was delivered, and the bytes it was made of. Half and failed things do not come here.
  ///
  /// - Parameters:
  ///   - permit: Of the load, from before it began.
  ///   - encoded: The image as it is stored, if it was encoded for the caller; it was not on disk.
  func callAsFunction(
    _ decoded: DecodedImage, for request: ImageRequest, _ permit: StorePermit<StorePlace>,
    encodedAs encoded: EncodedImage? = nil
  ) {
    guard !decoded.isPreview, !request.source.isMissing else { return }
    if decoded.hit != .memory, !request.options.contains(.disableMemoryCacheWrites) {
      let (cache, key) = (parts.imageCache(for: request), ImageCacheKey(request))
      permit.write(to: .memory(key)) { cache?[key] = decoded }
    }
    let hit = encoded == nil ? decoded.hit : nil
    let plan = DiskPlan(request, policy, isFresh: decoded.fresh != nil, hit: hit)
    if let fresh = decoded.fresh {
      permit.write(to: .original(request.resourceKey)) {
        if plan.storesOriginal { storeOriginal(fresh, for: request) } else { remember(fresh, for: request) }
      }
    }
    if plan.storesVariant {
      permit.write(to: .variant(ImageCacheKey(request))) {
        if let encoded {
          storeVariant(encoded, of: decoded, for: request)
        } else {
          storeVariant(decoded, for: request)
        }
      }
    }
  }

  /// Keeps bytes that were wanted as such.
  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, _ permit: StorePermit<StorePlace>
  ) {
    let plan = DiskPlan(request, policy, isFresh: encoded.origin.isFresh, hit: nil)
    if plan.storesOriginal {
      permit.write(to: .original(request.resourceKey)) { storeOriginal(encoded, for: request) }
    }
  }

  /// Loading waits here while much is to be written: what waits to be written is in memory.
  func waitForRoom() async { await backlog.waitForRoom() }

  /// Waits until all that was given so far is stored.
  func flush() async { await backlog.waitUntilEmpty() }

  /// Not where the bytes are never to be kept.
  private func remember(_ encoded: EncodedImage, for request: ImageRequest) {
    guard policy == .automatic, parts.dataCache(for: request) != nil, !request.isLocal,
      !request.options.contains(.disableDiskCacheWrites), let key = DataCacheKey.original(request)
    else { return }
    recents.keep(encoded, for: key)
  }

  private func storeOriginal(_ encoded: EncodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.original(request) else { return }
    let delegate = parts.delegate
    store(key, encoded, for: request, byteCount: encoded.data.count, job: encoded.job) {
      () throws(DataCacheError) in
      var cached = encoded.cached
      guard let data = await delegate.storable(cached.data, of: nil, for: request) else { return nil }
      cached.data = data
      return cached
    }
  }

  /// Encodes an image for a caller who waits for it.
  func encoded(
    _ decoded: DecodedImage, for request: ImageRequest, _ urgency: Urgency
  ) async throws(ImagePipeline.Error) -> EncodedVariant {
    let encoder = parts.encoder(for: request)
    let data = try await queue.run(urgency) { isCancelled throws(ImagePipeline.Error) in
      do { return try encoder.encode(decoded.image) } catch {
        throw isCancelled() ? .cancelled : .encodingFailed(error)
      }
    }
    var encoded = EncodedImage(data, origin: decoded.origin, url: decoded.url, contentType: nil)
    (encoded.timings, encoded.httpCacheStatus) = (decoded.timings, decoded.httpCacheStatus)
    return EncodedVariant(encoded.named, decoded)
  }

  /// Found from now on, and written without a place in the line for encoding: those who wait for that have theirs first.
  private func storeVariant(_ encoded: EncodedImage, of decoded: DecodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.variant(request) else { return }
    let (delegate, image) = (parts.delegate, parts.delegate == nil ? nil : decoded.image)
    store(key, encoded, for: request, byteCount: encoded.data.count, job: encoded.job) {
      guard let data = await delegate.storable(encoded.data, of: image, for: request) else { return nil }
      return EncodedImage(data, origin: .disk, url: encoded.url, contentType: nil).cached
    }
  }

  private func storeVariant(_ decoded: DecodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.variant(request) else { return }
    let (encoder, delegate, queue) = (parts.encoder(for: request), parts.delegate, queue)
    let original = request.isVariant ? nil : decoded.fresh?.data
    store(key, nil, for: request, byteCount: decoded.image.byteCount, job: decoded.job) {
      () throws(DataCacheError) in
      // The task is never cancelled, so the queue itself does not throw.
      let encoded = try? await queue.run(Urgency(.low)) { _ in
        Result {
          try original.map { try encoder.encode(decoded.image, decodedFrom: $0) }
            ?? encoder.encode(decoded.image)
        }
      }
      switch encoded {
      case .success(let data):
        guard let data = await delegate.storable(data, of: decoded.image, for: request) else { return nil }
        return EncodedImage(data, origin: .disk, url: decoded.url, contentType: nil).cached
      case .failure(let error): throw .encodingFailed(reason: "\(error)")
      case nil: throw .encodingFailed(reason: "cancelled")
      }
    }
  }

  private func store(
    _ key: DataCacheKey, _ encoded: EncodedImage?, for request: ImageRequest, byteCount: Int, job: UInt64?,
    _ make: @escaping @Sendable () async throws(DataCacheError) -> CachedData?
  ) {
    // Several who waited for one job store the same at the same moment.
    guard let disk = parts.dataCache(for: request),
      let ticket = backlog.begin(key, byteCount, encoded, job: job)
    else { return }
    let (backlog, onError) = (backlog, onError)
    Task.detached {
      do throws(DataCacheError) {
        if let made = try await make() {
          try await backlog.write(ticket) { () throws(DataCacheError) in try await disk.store(made, for: key)
          }
        }
      } catch {
        onError?(error)
      }
      backlog.end(ticket)
    }
  }
}

extension (any ImagePipelineDelegate)? {
  fileprivate func storable(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
    guard let self else { return data }
    return await self.willStore(data, of: image, for: request)
  }
}
