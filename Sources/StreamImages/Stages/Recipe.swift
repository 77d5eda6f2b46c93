/// How a picture that is nowhere to be found is made.
enum Recipe {
  /// From the bytes as they were loaded; to a size, if there is one.
  case decode(target: ResizeTarget?)
  /// From another picture, by a processor.
  case process(ImageRequest, any ImageProcessing)

  init(_ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy, _ memory: MemoryStage) {
    guard let last = request.processors.last else {
      self = .decode(target: request.thumbnail?.target)
      return
    }
    let rest = request.withoutLastProcessor
    // A small picture is best decoded small, unless the large one is at hand; or on disk as a picture rather than
    // as the bytes that were loaded.
    if let target = last.decodingTarget, !rest.isVariant, policy != .storeEncodedImages, memory(rest) == nil {
      self = .decode(target: target)
    } else {
      self = .process(rest, last)
    }
  }
}
