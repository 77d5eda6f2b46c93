/// ImageRequest ─▶ DecodedImage, at once, if it is in memory.
struct MemoryStage: Sendable {
  let parts: Parts

  func callAsFunction(_ request: ImageRequest) -> DecodedImage? {
    guard !request.options.contains(.disableMemoryCacheReads), !request.source.isMissing,
      var image = parts.imageCache(for: request)?[ImageCacheKey(request)]
    else { return nil }
    image.hit = .memory
    image.origin = .memory
    // Whoever has put it there has kept its bytes, or has had a reason not to.
    image.fresh = nil
    (image.timings, image.httpCacheStatus, image.wasCoalesced) = (nil, nil, false)
    return image
  }
}
