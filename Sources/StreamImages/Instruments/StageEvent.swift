/// Something a pipeline has spent time on.
public struct StageEvent: Sendable {
  /// A part of the way of a request.
  public enum Stage: String, Sendable, Hashable, CaseIterable {
    /// Looking for bytes or a picture on disk.
    case disk
    /// Getting the bytes, or the picture, from where the request says.
    case load
    /// Making the picture of its bytes.
    case decode
    /// Decoding what has come so far.
    case preview
    /// One processor.
    case process
    /// Encoding for a caller who waits for the bytes; encoding for the disk alone is not reported.
    case encode
  }

  /// How it went.
  public enum Outcome: Sendable, Hashable {
    /// It gave what it is for.
    case succeeded
    /// There was nothing.
    case missed
    /// It threw, and the request failed or went another way.
    case failed
    /// Nobody wanted it any more.
    case cancelled
  }

  /// Which part of the way.
  public let stage: Stage
  /// For whom; one of those who share the work, if there are several.
  public let request: ImageRequest
  /// How it went.
  public let outcome: Outcome
  /// When it began to wait for its turn.
  public let start: ContinuousClock.Instant

  /// With all waiting: for a place, for a thread, for the network.
  public let duration: Duration
}

extension StageEvent: CustomStringConvertible {
  public var description: String { "\(stage) \(outcome) after \(duration): \(request)" }
}
