import Foundation

/// Loads `data:` URLs, which contain their bytes.
public struct DataURLLoader: DataLoading {
  /// Creates a loader of `data:` URLs.
  public init() {}

  public func load(
    _ request: DataRequest, limits: LoadLimits
  ) async throws(DataLoadingError) -> LoadedData {
    if Task.isCancelled { throw .cancelled }
    try request.requireReading()
    let limit = min(limits.maximumDataURLByteCount, limits.maximumByteCount)
    let parsed = try DataURL(request.url.absoluteString, maximumByteCount: limit)
    let body = request.method == .get ? Data(parsed.bytes) : Data()
    let head = LoadedHead(
      headers: ["Content-Type": parsed.mediaType], url: request.url, expectedByteCount: body.count)
    return LoadedData(head: head, body: BufferedChunks(body))
  }
}
