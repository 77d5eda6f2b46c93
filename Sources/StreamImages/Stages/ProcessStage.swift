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
