/// ImageRequest ─▶ DecodedImage, at once, if it is in memory.
struct MemoryStage: Sendable {
  let parts: Parts

  func callAsFunction(_ request: ImageRequest) -> DecodedImage? {
    guard !request.options.contains(.disableMemoryCacheReads), !request.source.isMissing,
      var image = parts.imageCache(for: request)?[ImageCacheKey(request)]
    else { return nil }
    image.hit = .memory
    image.origin = .memory
    return image
  }
}
