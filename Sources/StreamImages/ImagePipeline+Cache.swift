public import Foundation

extension ImagePipeline {
  /// What the caches of the pipeline have, by request.
  public var cache: Cache { Cache(pipeline: self) }

  /// The caches of a pipeline, asked by request.
  ///
  /// Options of the request that forbid reading or writing a cache hold here, too.
  public struct Cache: Sendable {
    /// Which of the caches are meant.
    public struct Layers: OptionSet, Sendable, Hashable {
      public let rawValue: UInt8

      public init(rawValue: UInt8) { self.rawValue = rawValue }

      /// ``ImagePipeline/Configuration-swift.struct/imageCache``.
      public static let memory = Layers(rawValue: 1 << 0)
      /// ``ImagePipeline/Configuration-swift.struct/dataCache``, and what an ``HTTPCache`` among the loaders keeps.
      public static let disk = Layers(rawValue: 1 << 1)
      /// Both.
      public static let all: Layers = [.memory, .disk]
    }

    fileprivate let pipeline: ImagePipeline

    private func prepared(_ request: ImageRequest) -> ImageRequest { pipeline.prepared(request) }

    // MARK: Memory

    /// The picture in memory. Setting `nil` removes it. An unfinished picture is not read, but may be put in.
    public subscript(request: ImageRequest) -> DecodedImage? {
      get { image(for: request) }
      nonmutating set {
        let request = prepared(request)
        guard newValue == nil || !request.options.contains(.disableMemoryCacheWrites),
          !request.source.isMissing
        else { return }
        Parts(pipeline.configuration).imageCache(for: request)?[ImageCacheKey(request)] = newValue
      }
    }

    /// The picture in memory.
    public func image(for request: ImageRequest, includingPreviews: Bool = false) -> DecodedImage? {
      let image = pipeline.memory(prepared(request))
      return image?.isPreview == true && !includingPreviews ? nil : image
    }

    /// The first of several pictures that is in memory: for a placeholder, one of another size or with other processors.
    public func firstImage(of requests: [ImageRequest]) -> DecodedImage? {
      for request in requests {
        if let image = image(for: request) { return image }
      }
      return nil
    }

    // MARK: Disk

    /// The bytes on disk as they were loaded; `nil` if there are none.
    public func data(for request: ImageRequest) async -> Data? {
      await pipeline.disk.storedOriginal(prepared(request))?.data
    }

    /// The picture on disk as it was delivered, decoded; `nil` if there is none, or none that can be decoded.
    ///
    /// What cannot be decoded is removed.
    public func storedImage(for request: ImageRequest) async -> Image? {
      let request = prepared(request)
      guard let encoded = await pipeline.disk.variant(request) else { return nil }
      do throws(ImagePipeline.Error) {
        return try await pipeline.decode(
          encoded, for: request, target: nil, DecodingSession(), Urgency(request.priority)
        ).image
      } catch {
        if error.blamesTheBytes { await pipeline.disk.forgetVariant(request) }
        return nil
      }
    }

    /// Keeps bytes on disk as if they had been loaded. Throws if they could not be kept.
    public func store(_ data: Data, for request: ImageRequest) async throws(DataCacheError) {
      let request = prepared(request)
      guard !request.options.contains(.disableDiskCacheWrites), let key = DataCacheKey.original(request)
      else { return }
      await pipeline.store.backlog.drop(key)
      try await Parts(pipeline.configuration).dataCache(for: request)?.store(CachedData(data), for: key)
    }

    // MARK: Both

    /// Whether a picture, or the bytes of which it can be made, are there. They may still turn out to be damaged.
    public func contains(_ request: ImageRequest, in layers: Layers = .all) async -> Bool {
      let request = prepared(request)
      if layers.contains(.memory), let image = pipeline.memory(request), !image.isPreview { return true }
      guard layers.contains(.disk) else { return false }
      if await pipeline.disk.hasVariant(request) { return true }
      return await pipeline.disk.hasOriginal(request)
    }

    /// Removes the picture, and the bytes of which it was made.
    ///
    /// When this returns, nothing of it is found, nor will be: what is being loaded, encoded or written is not kept. Those
    /// who wait for it get it all the same; later requests do not join them. On disk, a loader that keeps what it loads
    /// forgets it, too: see ``DataLoading/forget(_:)``.
    public func remove(_ request: ImageRequest, from layers: Layers = .all) async {
      let request = prepared(request)
      let (key, resource) = (ImageCacheKey(request), request.resourceKey)
      let isMeant: @Sendable (StorePlace) -> Bool = { place in
        switch place {
        case .memory(let other): layers.contains(.memory) && other == key
        case .variant(let other): layers.contains(.disk) && other == key
        case .original(let other): layers.contains(.disk) && other == resource
        }
      }
      // From the inside out: what is read in between, of a part that is not cleared yet, is cleared after it.
      if layers.contains(.disk) {
        await pipeline.revoke(isMeant)
        if case .address(let address) = request.source {
          await Parts(pipeline.configuration).dataLoader(for: request).forget(address)
        }
        await pipeline.revoke(isMeant)
        await pipeline.disk.forgetOriginal(request)
        await pipeline.disk.forgetVariant(request)
      }
      if layers.contains(.memory) {
        await pipeline.revoke(isMeant)
        Parts(pipeline.configuration).imageCache(for: request)?[key] = nil
      }
    }

    /// Removes everything from the caches of the configuration, and has its loader forget all it keeps.
    ///
    /// As with ``remove(_:from:)``, nothing is found when this returns, and nothing comes back: the thing to do when a
    /// user logs out.
    public func removeAll(from layers: Layers = .all) async {
      let isMeant: @Sendable (StorePlace) -> Bool = { layers.contains($0.isInMemory ? .memory : .disk) }
      if layers.contains(.disk) {
        await pipeline.revoke(isMeant)
        await pipeline.configuration.dataLoader.forgetAll()
        await pipeline.revoke(isMeant)
        pipeline.disk.recents.removeAll()
        await pipeline.store.backlog.dropAll()
        await pipeline.configuration.dataCache?.removeAll()
      }
      if layers.contains(.memory) {
        await pipeline.revoke(isMeant)
        pipeline.configuration.imageCache?.removeAll()
      }
    }
  }
}
