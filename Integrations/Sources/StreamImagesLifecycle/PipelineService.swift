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
/// A group that is cancelled does not wait, even during a graceful shutdown. To limit the time, set the group's
/// `maximumGracefulShutdownDuration`. What is not stored by then is lost.
public struct PipelineService: Service {
  private let pipeline: ImagePipeline

  /// Creates a service for `pipeline`.
  public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// Waits for the shutdown, and then for ``/StreamImages/ImagePipeline/flush()`` or a cancellation.
  public func run() async throws {
    try await gracefulShutdown()
    let (stored, end) = AsyncStream<Void>.makeStream()
    Task { [pipeline] in
      await pipeline.flush()
      end.finish()
    }
    // Ends as well when the group cancels this task, which `flush()` does not.
    for await _ in stored {}
  }
}
