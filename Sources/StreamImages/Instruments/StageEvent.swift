/// Something a pipeline has spent time on.
public struct StageEvent: Sendable {
  /// A part of the way of a request.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Looking for bytes or a picture on disk.
    case disk
    /// Getting the bytes, or the picture, from where the request says.
    case load
    case decode
    /// Decoding what has come so far.
    case preview
    /// One processor.
    case process
  }

  /// How it went.
  public enum Outcome: Sendable, Hashable {
    case succeeded
    /// There was nothing.
    case missed
    case failed
    case cancelled
  }

  public let stage: Stage
  public let request: ImageRequest
  public let outcome: Outcome
  public let start: ContinuousClock.Instant

  /// With all waiting: for a place, for a thread, for the network.
  public let duration: Duration
}

extension StageEvent: CustomStringConvertible {
  public var description: String { "\(stage) \(outcome) after \(duration): \(request)" }
}
