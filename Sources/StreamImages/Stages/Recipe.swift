/// How a picture that is nowhere to be found is made.
enum Recipe {
  /// From the bytes as they were loaded; to a size, if there is one.
  case decode(target: ResizeTarget?)
  /// From a closure; to a size, if there is one.
  case take(ImageSupply, target: ResizeTarget?)
  /// Not at all: what is asked for means nothing, whatever the bytes are.
  case fail(ImagePipeline.Error)
  /// From another picture, by a processor.
  case process(ImageRequest, any ImageProcessing)

  init(_ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy, _ memory: MemoryStage) {
    guard let last = request.processors.last else {
      self.init(request.source, request.thumbnail?.target, request.thumbnail?.identifier)
      return
    }
    let rest = request.withoutLastProcessor
    // A small picture is best decoded small, unless the large one is at hand; or on disk as a picture rather than
    // as the bytes that were loaded.
    if let target = last.decodingTarget, !rest.isVariant, policy != .storeEncodedImages, memory(rest) == nil {
      self.init(request.source, target, last.identifier)
    } else {
      self = .process(rest, last)
    }
  }

  private init(_ source: ImageSource, _ target: ResizeTarget?, _ name: String?) {
    do throws(ImageCodecError) {
      _ = try target?.size(for: PixelSize(width: 1, height: 1))
      if case .image(let source) = source {
        self = .take(source.supply, target: target)
      } else {
        self = .decode(target: target)
      }
    } catch {
      self = .fail(.processingFailed(processor: name ?? "", error))
    }
  }
}
