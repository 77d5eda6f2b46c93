/// EncodedImage ─▶ EncodedImage, if the bytes are those that the request expects.
struct CheckStage: Sendable {
  let queue: WorkQueue
  let disk: DiskStage

  func callAsFunction(
    _ encoded: EncodedImage, for request: ImageRequest, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    guard let expected = request.integrity else { return encoded }
    let received = try await queue.run(priority) { _ in Integrity(of: encoded.data) }
    guard received == expected else { throw .integrityMismatch(expected: expected, received: received) }
    return encoded
  }

  /// The same for bytes from the disk. Other bytes are removed.
  func accepts(
    _ encoded: EncodedImage, for request: ImageRequest, _ priority: DynamicPriority
  ) async throws(ImagePipeline.Error) -> Bool {
    do throws(ImagePipeline.Error) {
      _ = try await self(encoded, for: request, priority)
      return true
    } catch {
      guard case .integrityMismatch = error else { throw error }
      await disk.forgetOriginal(request)
      return false
    }
  }
}
