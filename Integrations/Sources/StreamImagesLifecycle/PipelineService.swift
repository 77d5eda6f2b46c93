public import ServiceLifecycle
public import StreamImages

/// Keeps a program alive at shutdown until its pipeline has stored what it delivered.
///
/// ```swift
/// let group = ServiceGroup(
///   services: [PipelineService(pipeline), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
///
/// Storing continues in the background after an image is delivered. A group shuts its services down in the reverse of their order. So
/// name the pipeline before the server: the server stops to take requests, ends those in flight, and then the pipeline stores
/// their images.
///
/// A group that is cancelled, and not shut down gracefully, does not wait. To limit the time, set the group's
/// `maximumGracefulShutdownDuration`.
public struct PipelineService: Service {
  private let pipeline: ImagePipeline

  /// Creates a service for `pipeline`.
  public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// Waits for the shutdown, and then for ``/StreamImages/ImagePipeline/flush()``.
  public func run() async throws {
    try await gracefulShutdown()
    await pipeline.flush()
  }
}
