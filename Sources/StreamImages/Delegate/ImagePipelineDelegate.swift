public import Foundation

/// Has a say in what a pipeline does with each request. All functions have defaults that change nothing.
///
/// They are called from any thread, several at a time, and never while the pipeline holds a lock.
public protocol ImagePipelineDelegate: Sendable {
  // MARK: What is asked for

  /// The request that is carried out instead of this one. Called first of all, on the thread that asks.
  ///
  /// The place to add processors, options or an ``ImageRequest/imageID`` to all requests.
  func prepare(_ request: ImageRequest) -> ImageRequest

  /// What is sent instead of `address`, signed for example. Called once loading begins.
  ///
  /// What it throws is ``ImagePipeline/Error/requestRefused(_:)``. A cancelled request is not sent, whatever is
  /// returned. Not called for closures, and not for `file:` and `data:` URLs. It does not change the keys.
  func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest

  // MARK: By which parts

  /// `nil` stands for that of the configuration, here as below.
  func dataLoader(for request: ImageRequest) -> (any DataLoading)?

  /// What encodes pictures for the cache; the one of the configuration if `nil`.
  func encoder(for request: ImageRequest) -> (any ImageEncoding)?

  /// Asked on every lookup: it must answer at once.
  func imageCache(for request: ImageRequest) -> (any ImageCaching)?

  /// The cache of bytes for this request; the one of the configuration if `nil`.
  func dataCache(for request: ImageRequest) -> (any DataCaching)?

  /// Which unfinished pictures are shown; `nil` stands for what fits the format.
  func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy?

  /// What is kept on disk instead of `data`; `nil` to keep nothing.
  ///
  /// `image` is the picture of which `data` was made; `nil` if these are the bytes as they were loaded.
  func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data?

  // MARK: What happens

  /// A task was made. Called on the thread that asks, before anything else happens to it.
  func taskCreated(_ task: ImageTask)

  /// The task looks for its picture from now on.
  func taskDidStart(_ task: ImageTask)

  /// Tells what has happened to the task.
  func task(_ task: ImageTask, didReceive event: ImageTask.Event)
}

extension ImagePipelineDelegate {
  public func prepare(_ request: ImageRequest) -> ImageRequest { request }
  public func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest {
    address
  }
  public func dataLoader(for request: ImageRequest) -> (any DataLoading)? { nil }
  public func encoder(for request: ImageRequest) -> (any ImageEncoding)? { nil }
  public func imageCache(for request: ImageRequest) -> (any ImageCaching)? { nil }
  public func dataCache(for request: ImageRequest) -> (any DataCaching)? { nil }
  public func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy? { nil }
  public func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data? { data }
  public func taskCreated(_ task: ImageTask) {}
  public func taskDidStart(_ task: ImageTask) {}
  public func task(_ task: ImageTask, didReceive event: ImageTask.Event) {}
}
