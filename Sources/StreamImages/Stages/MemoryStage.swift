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
