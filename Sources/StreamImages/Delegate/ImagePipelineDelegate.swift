public import Foundation

/// Customizes how a pipeline handles each request. The default implementations change nothing.
///
/// The pipeline calls it from any thread, concurrently, and never while it holds a lock.
public protocol ImagePipelineDelegate: Sendable {
  // MARK: Requests

  /// Returns the request to execute in place of this one. Called first.
  ///
  /// Use it to add processors, options or an ``ImageRequest/imageID`` to all requests.
  func prepare(_ request: ImageRequest) -> ImageRequest

  /// Returns the request to send in place of `address`, for example a signed one. Called when loading starts.
  ///
  /// Throw to fail the image request with ``ImagePipeline/Error/requestRefused(_:)``. It is not called for closures,
  /// nor for `file:` and `data:` URLs. A request that is cancelled meanwhile is not sent. The keys of the pipeline's caches
  /// do not change.
  func willLoad(_ address: DataRequest, for request: ImageRequest) async throws -> DataRequest

  // MARK: Components

  /// Returns the loader for this request, or `nil` for that of the configuration.
  func dataLoader(for request: ImageRequest) -> (any DataLoading)?

  /// Returns the encoder for this request, or `nil` for that of the configuration. Not called for a request that names an
  /// ``ImageRequest/encoding``.
  func encoder(for request: ImageRequest) -> (any ImageEncoding)?

  /// Returns the memory cache for this request, or `nil` for that of the configuration. Called on every lookup, so it
  /// must be fast.
  func imageCache(for request: ImageRequest) -> (any ImageCaching)?

  /// Returns the disk cache for this request, or `nil` for that of the configuration.
  func dataCache(for request: ImageRequest) -> (any DataCaching)?

  /// Returns which previews are shown, or `nil` for those that suit the format.
  func previewPolicy(for request: ImageRequest, _ info: ImageInfo) -> PreviewPolicy?

  /// Returns the data to store on disk in place of `data`, or `nil` to store nothing.
  ///
  /// `image` is the image that `data` encodes, or `nil` if `data` is the loaded bytes.
  func willStore(_ data: Data, of image: Image?, for request: ImageRequest) async -> Data?

  // MARK: Events

  /// A task was created. Called before any other event of the task.
  func taskCreated(_ task: ImageTask)

  /// The task has started to look for its image.
  func taskDidStart(_ task: ImageTask)

  /// An event of the task.
  func task(_ task: ImageTask, didReceive event: ImageTask.Event)

  /// An event of a request for bytes or for an encoded image. An encoded image in memory is returned without a task.
  func dataTask(_ task: DataTask, didReceive event: DataTask.Event)
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
  public func dataTask(_ task: DataTask, didReceive event: DataTask.Event) {}
}

/// The components for a request: those of the delegate, or else those of the configuration.
final class ResolvedDependencies: Sendable {
  private let configuration: ImagePipeline.Configuration

  init(_ configuration: ImagePipeline.Configuration) { self.configuration = configuration }

  var delegate: (any ImagePipelineDelegate)? { configuration.delegate }

  func dataLoader(for request: ImageRequest) -> any DataLoading {
    delegate?.dataLoader(for: request) ?? configuration.dataLoader
  }

  func encoder(for request: ImageRequest) -> any ImageEncoding {
    // A format that the request names is part of its cache keys, so the delegate cannot choose another one.
    if let encoding = request.encoding { return ImageEncoders.Fixed(encoding: encoding) }
    return delegate?.encoder(for: request) ?? configuration.encoder
  }

  func imageCache(for request: ImageRequest) -> (any ImageCaching)? {
    delegate?.imageCache(for: request) ?? configuration.imageCache
  }

  func dataCache(for request: ImageRequest) -> (any DataCaching)? {
    delegate?.dataCache(for: request) ?? configuration.dataCache
  }
}
