internal import Foundation
public import Logging
public import StreamImages

/// A delegate that logs each failed image.
///
/// ```swift
/// configuration.delegate = PipelineLogging(Logger(label: "images"))
/// ```
///
/// The message is `image failed`, with this metadata:
///
/// - `error.type`, the stable code of the error.
/// - `server.address`, the host of the URL. Missing for a request without one.
/// - `image.received_bytes`, how much of the body arrived.
/// - `image.duration_ms`, the time from the request to the failure.
/// - `url.full` and `error.message`, only if the logger logs `debug` messages. The URL has no user, password, query or fragment.
///
/// A failure that requests share is logged for each of them. Requests that were cancelled are not failures. At the level `debug`,
/// images that were loaded are logged too, as `image loaded`, with their origin.
public struct PipelineLogging: ForwardingPipelineDelegate {
  /// The delegate to which all calls are passed on.
  public let next: (any ImagePipelineDelegate)?
  private let logger: Logger
  private let level: Logger.Level
  private static let start = ImageRequest.UserInfoKey("StreamImagesTelemetry.start")

  /// Creates a delegate.
  ///
  /// - Parameters:
  ///   - logger: Receives the messages.
  ///   - level: The level of a failure.
  ///   - next: The delegate to which all calls are passed on.
  public init(_ logger: Logger, level: Logger.Level = .warning, next: (any ImagePipelineDelegate)? = nil) {
    (self.logger, self.level, self.next) = (logger, level, next)
  }

  public func prepare(_ request: ImageRequest) -> ImageRequest {
    var request = next?.prepare(request) ?? request
    request.userInfo[Self.start] = ContinuousClock.now
    return request
  }

  public func task(_ task: ImageTask, didReceive event: ImageTask.Event) {
    if case .finished(let result) = event {
      log(task.request, task.status.progress, result.map { ($0.source, $0.byteCount) })
    }
    next?.task(task, didReceive: event)
  }

  public func dataTask(_ task: DataTask, didReceive event: DataTask.Event) {
    if case .finished(let result) = event {
      log(task.request, task.status.progress, result.map { ("\($0.origin)", $0.data.count) })
    }
    next?.dataTask(task, didReceive: event)
  }

  private func log(
    _ request: ImageRequest, _ progress: LoadProgress,
    _ result: Result<(origin: String, byteCount: Int), ImagePipeline.Error>
  ) {
    switch result {
    case .success(let image):
      guard logger.logLevel <= .debug else { return }
      var metadata = metadata(of: request)
      metadata["image.origin"] = "\(image.origin)"
      metadata["image.byte_count"] = "\(image.byteCount)"
      logger.debug("image loaded", metadata: metadata)
    case .failure(let error):
      guard !error.isCancellation, logger.logLevel <= level else { return }
      var metadata = metadata(of: request)
      metadata["error.type"] = "\(error.code)"
      metadata["image.received_bytes"] = "\(progress.completed)"
      if logger.logLevel <= .debug { metadata["error.message"] = "\(error)" }
      logger.log(level: level, "image failed", metadata: metadata)
    }
  }

  private func metadata(of request: ImageRequest) -> Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    if let host = request.url?.host(percentEncoded: false) { metadata["server.address"] = "\(host)" }
    if let start = request.userInfo[Self.start] as? ContinuousClock.Instant {
      metadata["image.duration_ms"] = "\(Int((ContinuousClock.now - start) / .milliseconds(1)))"
    }
    if logger.logLevel <= .debug, let url = request.url { metadata["url.full"] = "\(RedactedURL(url))" }
    return metadata
  }
}

extension ImageResponse {
  /// The cache that had the image, or else the origin of its bytes.
  fileprivate var source: String { cacheSource.map { "\($0)" } ?? "\(origin)" }
}
