/// The duration and outcome of one step of a request.
public struct StageEvent: Sendable {
  /// A step of a request.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Reading bytes or an image from disk.
    case disk
    /// Loading the bytes, or calling the closure that supplies the image.
    case load
    /// Decoding.
    case decode
    /// Decoding a preview.
    case preview
    /// Running one processor.
    case process
    /// Encoding for a caller. Encoding only for the disk cache is part of ``store``.
    case encode
    /// Storing an entry on disk, after the image is delivered. Not reported if a delegate stores nothing.
    case store
  }

  /// The outcome of a step.
  public enum Outcome: Sendable, Hashable {
    /// It has a result.
    case succeeded
    /// It found nothing.
    case missed
    /// It threw an error. The request failed or tried another way.
    case failed
    /// It was cancelled.
    case cancelled
  }

  /// The step.
  public let stage: Stage
  /// The request. If several share the step, one of them.
  public let request: ImageRequest
  /// The outcome.
  public let outcome: Outcome
  /// The code of the error if the step failed, such as ``ImagePipeline/Error/code`` or ``DataCacheError/code``.
  public let errorCode: String?
  /// When the step started. Waiting in a queue of ``ImagePipeline/Work`` is part of it.
  public let start: ContinuousClock.Instant

  /// The duration, including waiting for that queue, threads and the network.
  public let duration: Duration
}

extension StageEvent: CustomStringConvertible {
  public var description: String { "\(stage) \(outcome) after \(duration): \(request)" }
}
