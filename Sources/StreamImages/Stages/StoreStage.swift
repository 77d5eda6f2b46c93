internal import Foundation
internal import Streams

/// DecodedImage ─▶ (), in memory immediately, on disk in the background.
struct StoreStage: Sendable {
  let dependencies: ResolvedDependencies
  let policy: ImagePipeline.DataCachePolicy
  let queue: WorkQueue
  let pendingWrites: PendingWrites
  let recents: RecentOriginals
  let onError: (@Sendable (DataCacheError) -> Void)?
  let instruments: Instruments

  /// Stores a delivered image and the bytes it was made from.
  ///
  /// - Parameters:
  ///   - permit: The permit of the load, taken before it started.
  ///   - encoded: The encoded image, if it was encoded for the caller and was not on disk.
  func callAsFunction(
    _ decoded: DecodedImage, for request: ImageRequest, _ permit: StorePermit<StorePlace>,
    encodedAs encoded: EncodedImage? = nil
  ) {
    guard !decoded.isPreview else { return }
    if decoded.hit != .memory, !request.options.contains(.disableMemoryCacheWrites) {
      let (cache, key) = (dependencies.imageCache(for: request), ImageCacheKey(request))
      var kept = decoded
      // A cache of the program would hold the loaded bytes, too, without counting them.
      kept.fresh = nil
      permit.write(to: .memory(key)) { cache?[key] = kept }
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

  /// Stores loaded bytes that were requested.
  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, _ permit: StorePermit<StorePlace>
  ) {
    let plan = DiskPlan(request, policy, isFresh: encoded.origin.isFresh, hit: nil)
    if plan.storesOriginal {
      permit.write(to: .original(request.resourceKey)) { storeOriginal(encoded, for: request) }
    }
  }

  /// Suspends a load while many bytes wait to be written, because they occupy memory.
  func waitForRoom() async { await pendingWrites.waitForRoom() }

  /// Waits until everything given to this stage so far is stored, or could not be.
  func flush() async { await pendingWrites.waitForEnd() }

  /// Not for bytes that must not be stored at all.
  private func remember(_ encoded: EncodedImage, for request: ImageRequest) {
    guard policy == .automatic, dependencies.dataCache(for: request) != nil,
      !request.options.contains(.disableDiskCacheWrites), let key = DataCacheKey.original(request)
    else { return }
    recents.keep(encoded, for: key)
  }

  private func storeOriginal(_ encoded: EncodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.original(request) else { return }
    recents.forget(key)
    let delegate = dependencies.delegate
    store(key, encoded, for: request, byteCount: encoded.data.count, job: encoded.job) {
      () throws(DataCacheError) in
      var cached = encoded.cached
      guard let data = await delegate.storable(cached.data, of: nil, for: request) else { return nil }
      cached.data = data
      return cached
    }
  }

  /// Encodes an image for a caller.
  func encoded(
    _ decoded: DecodedImage, for request: ImageRequest, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> EncodedVariant {
    let encoder = dependencies.encoder(for: request)
    let data = try await queue.run(priority) { isCancelled throws(ImagePipeline.Error) in
      do { return try encoder.encode(decoded, keeping: request.keptMetadata) } catch {
        throw isCancelled() ? .cancelled : .encodingFailed(error)
      }
    }
    var encoded = EncodedImage(data, origin: decoded.origin, url: decoded.url, contentType: nil)
    (encoded.timings, encoded.httpCacheStatus) = (decoded.timings, decoded.httpCacheStatus)
    return EncodedVariant(encoded.named, decoded)
  }

  /// Reads find it immediately. Writing does not wait in the encoding queue, because waiting callers come first.
  private func storeVariant(_ encoded: EncodedImage, of decoded: DecodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.variant(request) else { return }
    let (delegate, image) = (dependencies.delegate, dependencies.delegate == nil ? nil : decoded.image)
    store(key, encoded, for: request, byteCount: encoded.data.count, job: encoded.job) {
      guard let data = await delegate.storable(encoded.data, of: image, for: request) else { return nil }
      return EncodedImage(data, origin: .disk, url: encoded.url, contentType: nil).cached
    }
  }

  private func storeVariant(_ decoded: DecodedImage, for request: ImageRequest) {
    guard let key = DataCacheKey.variant(request) else { return }
    let (encoder, delegate, queue) = (dependencies.encoder(for: request), dependencies.delegate, queue)
    let original = request.isVariant ? nil : decoded.fresh?.data
    store(key, nil, for: request, byteCount: decoded.image.byteCount, job: decoded.job) {
      () throws(DataCacheError) in
      // The task is never cancelled, so the queue does not throw.
      let encoded = try? await queue.run(DynamicPriority(.low)) { _ in
        Result { try encoder.encode(decoded, from: original, keeping: request.keptMetadata) }
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
    // Subscribers of one job store the same entry at the same time.
    guard let disk = dependencies.dataCache(for: request),
      let ticket = pendingWrites.begin(key, byteCount, encoded, job: job, in: disk.identity)
    else { return }
    let (pendingWrites, onError, instruments) = (pendingWrites, onError, instruments)
    Task.detached {
      let start = ContinuousClock.now
      do throws(DataCacheError) {
        if let made = try await make() {
          try await pendingWrites.write(ticket) { () throws(DataCacheError) in
            try await disk.store(made, for: key)
          }
          instruments.report(.store, request, .succeeded, since: start)
        }
      } catch {
        onError?(error)
        instruments.report(.store, request, .failed, since: start, code: error.code)
      }
      pendingWrites.end(ticket)
    }
  }
}

extension (any ImagePipelineDelegate)? {
  fileprivate func storable(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
    guard let self else { return data }
    return await self.willStore(data, of: image, for: request)
  }
}
