public import Foundation
public import StreamImages

/// A delegate that passes each call on to another one, unless it implements the call itself.
///
/// A pipeline has one delegate. With this protocol, several form a chain:
///
/// ```swift
/// configuration.delegate = PipelineLogging(logger, next: PipelineTracing(next: myDelegate))
/// ```
public protocol ForwardingPipelineDelegate: ImagePipelineDelegate {
  /// The delegate to which calls are passed on.
  var next: (any ImagePipelineDelegate)? { get }
}

extension ForwardingPipelineDelegate {
  public func prepare(_ request: ImageRequest) -> ImageRequest { next?.prepare(request) ?? request }
  public func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
    try await next?.willLoad(address, for: request) ?? address
  }
  public func dataLoader(for request: ImageRequest) -> (any DataLoading)? { next?.dataLoader(for: request) }
  public func encoder(for request: ImageRequest) -> (any ImageEncoding)? { next?.encoder(for: request) }
  public func imageCache(for request: ImageRequest) -> (any ImageCaching)? { next?.imageCache(for: request) }
  public func dataCache(for request: ImageRequest) -> (any DataCaching)? { next?.dataCache(for: request) }
  public func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? {
    next?.previewPolicy(for: request, info)
  }
  public func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? {
    guard let next else { return data }
    return await next.willStore(data, of: image, for: request)
  }
  public func taskCreated(_ task: ImageTask) { next?.taskCreated(task) }
  public func taskDidStart(_ task: ImageTask) { next?.taskDidStart(task) }
  public func task(_ task: ImageTask, didReceive event: ImageTask.Event) {
    next?.task(task, didReceive: event)
  }
  public func dataTask(_ task: DataTask, didReceive event: DataTask.Event) {
    next?.dataTask(task, didReceive: event)
  }
}
