internal import Foundation

/// ImageRequest ─▶ EncodedImage, whole and within the limits.
struct LoadStage: Sendable {
  let loader: any DataLoading
  let limits: LoadLimits
  let queue: WorkQueue
  let store: StoreStage

  func callAsFunction(
    _ request: ImageRequest, _ urgency: Urgency
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    guard let source = request.source else { throw .dataLoadingFailed(.badURL("")) }
    if request.options.contains(.skipDataLoadingQueue) { return try await load(source, request) }
    return try await queue.hold(urgency) { () throws(ImagePipeline.Error) in
      await store.waitForRoom()
      return try await load(source, request)
    }
  }

  private func load(
    _ source: DataRequest, _ request: ImageRequest
  ) async throws(ImagePipeline.Error) -> EncodedImage {
    let (head, data): (LoadedHead, Data)
    do throws(DataLoadingError) {
      let loaded = try await loader.load(source, limits: limits)
      (head, data) = (loaded.head, try await body(of: loaded))
    } catch {
      throw Task.isCancelled ? .cancelled : ImagePipeline.Error(loading: error)
    }
    guard !data.isEmpty else { throw .dataIsEmpty }
    return EncodedImage(
      data, origin: request.isLocal ? .local : .network, url: head.url, contentType: head.contentType)
  }

  /// Loaders keep to the limits and notice what is missing; one of the user's making may not.
  private func body(of loaded: LoadedData) async throws(DataLoadingError) -> Data {
    if let part = loaded.head.partial, part.bytes.lowerBound > 0 || part.bytes.count != part.total {
      loaded.body.cancel()
      throw .truncated(received: part.bytes.count, expected: part.total)
    }
    var data = Data()
    while let chunk = try await loaded.body.next() {
      guard chunk.count <= limits.maximumByteCount - data.count else {
        loaded.body.cancel()
        throw .tooLarge(limit: limits.maximumByteCount, announced: nil)
      }
      data.append(chunk)
    }
    if let expected = loaded.head.expectedByteCount, !loaded.head.isContentCoded, expected != data.count {
      throw .truncated(received: data.count, expected: expected)
    }
    return data
  }
}
