/// DecodedImage ─▶ DecodedImage, by one processor.
struct ProcessStage: Sendable {
  let queue: WorkQueue

  func callAsFunction(
    _ decoded: DecodedImage, by processor: any ImageProcessing, for request: ImageRequest, _ urgency: Urgency
  ) async throws(ImagePipeline.Error) -> DecodedImage {
    let image = try await queue.run(urgency) { isCancelled throws(ImagePipeline.Error) in
      let context = ImageProcessingContext(
        request: request, isPreview: decoded.isPreview, isCancelled: isCancelled)
      do { return try processor.process(decoded.image, context) } catch {
        throw .init(processing: error, by: processor.identifier)
      }
    }
    var processed = decoded
    processed.image = image
    // Work was done, wherever its material was found.
    processed.hit = nil
    return processed
  }
}
