/// DecodedImage ─▶ DecodedImage, by one processor.
struct ProcessStage: Sendable {
  let queue: WorkQueue

  func callAsFunction(
    _ decoded: DecodedImage, by processor: any ImageProcessing, for request: ImageRequest,
    _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    let image = try await queue.run(priority) { isCancelled throws(ImagePipeline.Error) in
      let isUnwanted: @Sendable () -> Bool = { isCancelled() || decoded.isOvertaken?.isSet == true }
      if isUnwanted() { throw .cancelled }
      let context = ImageProcessingContext(
        request: request, isPreview: decoded.isPreview, isCancelled: isUnwanted)
      do { return try processor.process(decoded.image, context) } catch {
        throw .init(processing: error, by: processor.identifier, isCancelled: isUnwanted())
      }
    }
    var processed = decoded
    processed.image = image
    // Processing is work, even if the input was cached.
    processed.hit = nil
    return processed
  }

  /// Resizes and scales an image that a closure supplied.
  func callAsFunction(
    _ image: Image, for request: ImageRequest, target: ResizeTarget?, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    let image = try await queue.run(priority) { isCancelled throws(ImagePipeline.Error) in
      do throws(ImageCodecError) {
        var image =
          try target.map { target throws(ImageCodecError) in
            try image.resized(to: target, isCancelled: isCancelled)
          } ?? image
        if request.scale != 1 { image.scale = request.scale }
        return image
      } catch {
        throw .init(
          processing: error, by: request.thumbnail?.identifier ?? "resize", isCancelled: isCancelled())
      }
    }
    var decoded = DecodedImage(image)
    decoded.origin = .program
    return decoded
  }
}

/// How to make an image that is not cached.
enum ProcessingPlan {
  /// Decode the loaded bytes, to a size if there is one.
  case decode(target: ResizeTarget?)
  /// Call a closure, and resize its image if there is a size.
  case take(ImageSupply, target: ResizeTarget?)
  /// Fail: the request is invalid, whatever the bytes are.
  case fail(ImagePipeline.Error)
  /// Process another image.
  case process(ImageRequest, any ImageProcessing)

  init(_ request: ImageRequest, _ policy: ImagePipeline.DataCachePolicy, _ memory: MemoryStage) {
    guard let last = request.processors.last else {
      self.init(request.source, request.thumbnail?.target, request.thumbnail?.identifier)
      return
    }
    let rest = request.withoutLastProcessor
    // Decoding directly to a small size is best, unless the full image is in memory, or is stored on disk encoded in
    // place of its loaded bytes.
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
