/// What a prefetch to the disk runs.
enum WorkForDisk {
  /// - Parameter isEncoded: Whether the bytes are those of the processed image.
  case data(DataTask, isEncoded: Bool)
  case image(ImageTask)
}

extension ImagePipeline {
  /// Loads the bytes if they are stored. Otherwise makes the image that is.
  func workForDisk(_ request: ImageRequest) -> WorkForDisk {
    var request = prepared(request)
    request.options.insert(.disableMemoryCacheWrites)
    let plan = DiskPlan(request, configuration.dataCachePolicy, isFresh: true, hit: nil)
    // A closure that makes an image has no bytes.
    let hasBytes = if case .image = request.source { false } else { true }
    let needsImage = plan.storesVariant && !(plan.storesOriginal && hasBytes)
    if needsImage, !request.isEncodedAnew {
      // An image in memory would not be stored.
      request.options.insert(.disableMemoryCacheReads)
      return .image(makeTask(prepared: request))
    }
    return .data(DataTask(request), isEncoded: needsImage)
  }
}

extension DiskStage {
  /// Whether the bytes of `request` or its processed image are there. They are not read.
  func hasAny(of request: ImageRequest) async -> Bool {
    if await hasOriginal(request) { return true }
    return await hasVariant(request)
  }
}
