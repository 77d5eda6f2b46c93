/// ImageRequest ─▶ DecodedImage, at once, if it is in memory.
struct MemoryStage: Sendable {
  let cache: (any ImageCaching)?

  func callAsFunction(_ request: ImageRequest) -> DecodedImage? {
    guard !request.options.contains(.disableMemoryCacheReads), request.source != nil,
      var image = cache?[ImageCacheKey(request)]
    else { return nil }
    image.hit = .memory
    image.origin = .memory
    return image
  }
}
