public import Foundation

extension ImagePipeline {
  /// The caches of this pipeline, addressed by request.
  public var cache: Cache { Cache(pipeline: self) }

  /// Reads and writes the caches of a pipeline by request.
  ///
  /// Options of a request that disable reading or writing a cache apply here too.
  public struct Cache: Sendable {
    /// Selects caches.
    public struct Layers: OptionSet, Sendable, Hashable {
      public let rawValue: UInt8

      public init(rawValue: UInt8) { self.rawValue = rawValue }

      /// The memory cache: ``ImagePipeline/Configuration-swift.struct/imageCache``.
      public static let memory = Layers(rawValue: 1 << 0)
      /// The disk cache: ``ImagePipeline/Configuration-swift.struct/dataCache``. Removing from it also removes the
      /// responses that an ``HTTPCache`` among the loaders stores.
      public static let disk = Layers(rawValue: 1 << 1)
      /// All caches.
      public static let all: Layers = [.memory, .disk]
    }

    fileprivate let pipeline: ImagePipeline

    private func prepared(_ request: ImageRequest) -> ImageRequest { pipeline.prepared(request) }

    // MARK: Memory

    /// The image in the memory cache. Set `nil` to remove it.
    ///
    /// Reading ignores previews. Writing accepts them.
    public subscript(request: ImageRequest) -> DecodedImage? {
      get { image(for: request) }
      nonmutating set {
        let request = prepared(request)
        guard newValue == nil || !request.options.contains(.disableMemoryCacheWrites),
          !request.source.isMissing
        else { return }
        ResolvedDependencies(pipeline.configuration).imageCache(for: request)?[ImageCacheKey(request)] =
          newValue
      }
    }

    /// Returns the image in the memory cache, or `nil`.
    public func image(for request: ImageRequest, includingPreviews: Bool = false) -> DecodedImage? {
      let image = pipeline.memory(prepared(request))
      return image?.isPreview == true && !includingPreviews ? nil : image
    }

    /// Returns the first of several images that is in the memory cache.
    ///
    /// Use it for a placeholder: pass requests for other sizes of the image, or with other processors.
    public func firstImage(of requests: [ImageRequest]) -> DecodedImage? {
      for request in requests {
        if let image = image(for: request) { return image }
      }
      return nil
    }

    // MARK: Disk

    /// Returns the loaded bytes from the disk cache, or `nil` if they are not stored.
    public func data(for request: ImageRequest) async -> Data? {
      await pipeline.disk.storedOriginal(prepared(request))?.data
    }

    /// Returns the processed image from the disk cache, decoded, or `nil` if there is none.
    ///
    /// The result is also `nil` if decoding fails. A damaged entry is removed.
    public func storedImage(for request: ImageRequest) async -> Image? {
      let request = prepared(request)
      guard let encoded = await pipeline.disk.variant(request) else { return nil }
      do throws(ImagePipeline.Error) {
        return try await pipeline.decode(
          encoded, for: request, target: nil, DecodingSession(), DynamicPriority(request.priority)
        ).image
      } catch {
        if error.isCausedByData { await pipeline.disk.forgetVariant(request) }
        return nil
      }
    }

    /// Stores bytes in the disk cache as the loaded bytes of a request, whatever the policy. Throws if they cannot be
    /// stored, and does nothing without a disk cache.
    public func store(_ data: Data, for request: ImageRequest) async throws(DataCacheError) {
      let request = prepared(request)
      guard !request.options.contains(.disableDiskCacheWrites), let key = DataCacheKey.original(request)
      else { return }
      pipeline.disk.recents.forget(key)
      await pipeline.store.pendingWrites.drop(key)
      try await ResolvedDependencies(pipeline.configuration).dataCache(for: request)?.store(
        CachedData(data), for: key)
    }

    // MARK: Both

    /// Returns whether the image, or the bytes it can be made from, are cached. The entry may still turn out to be
    /// damaged.
    public func contains(_ request: ImageRequest, in layers: Layers = .all) async -> Bool {
      let request = prepared(request)
      if layers.contains(.memory), let image = pipeline.memory(request), !image.isPreview { return true }
      guard layers.contains(.disk) else { return false }
      if await pipeline.disk.hasVariant(request) { return true }
      return await pipeline.disk.hasOriginal(request)
    }

    /// Removes the image, and from the disk also the bytes it was made from.
    ///
    /// When this returns, lookups find nothing, and loads that are still in flight will not store their results.
    /// Callers that wait for such a load receive its image; later requests do not join it. When the disk is included,
    /// a loader that stores responses removes them too: see ``DataLoading/forget(_:)``.
    public func remove(_ request: ImageRequest, from layers: Layers = .all) async {
      let request = prepared(request)
      await pipeline.permits.remove(request.places(in: layers)) {
        let dependencies = ResolvedDependencies(pipeline.configuration)
        if layers.contains(.disk) {
          if case .address(let address) = request.source {
            await dependencies.dataLoader(for: request).forget(address)
          }
          await pipeline.disk.forgetOriginal(request)
          await pipeline.disk.forgetVariant(request)
        }
        if layers.contains(.memory) { dependencies.imageCache(for: request)?[ImageCacheKey(request)] = nil }
      }
    }

    /// Removes everything from the caches, and everything that the loader stores.
    ///
    /// As with ``remove(_:from:)``, lookups find nothing when this returns, and loads in flight store nothing. Call it
    /// when a user logs out. Caches and loaders that only a delegate returns are not included.
    public func removeAll(from layers: Layers = .all) async {
      let kinds: [StorePlace] = [.allMemory, .allDisk]
      await pipeline.permits.remove(kinds.filter { layers.contains($0 == .allMemory ? .memory : .disk) }) {
        if layers.contains(.disk) {
          await pipeline.configuration.dataLoader.forgetAll()
          pipeline.disk.recents.removeAll()
          await pipeline.store.pendingWrites.dropAll()
          await pipeline.configuration.dataCache?.removeAll()
        }
        if layers.contains(.memory) { pipeline.configuration.imageCache?.removeAll() }
      }
    }
  }
}

extension ImageRequest {
  /// Where its results are stored.
  func places(in layers: ImagePipeline.Cache.Layers = .all) -> [StorePlace] {
    let key = ImageCacheKey(self)
    var places: [StorePlace] = layers.contains(.memory) ? [.memory(key)] : []
    if layers.contains(.disk) { places += [.variant(key), .original(resourceKey)] }
    return places
  }
}
