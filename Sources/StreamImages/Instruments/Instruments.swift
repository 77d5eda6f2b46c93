internal import Streams
internal import Synchronization

/// Measures the steps of a pipeline while there is a subscriber.
final class Instruments: Sendable, Reflected {
  private let subject = PassthroughSubject<StageEvent, Never>()
  private let watchers = Atomic(0)

  var isMeasuring: Bool { watchers.load(ordering: .relaxed) > 0 }

  /// Each subscription counts as a watcher.
  var events: AnyPublisher<StageEvent, Never> {
    subject.counting { [self] in watchers.add($0, ordering: .relaxed) }
  }

  func measure<Value>(
    _ stage: StageEvent.Stage, _ request: ImageRequest, since start: ContinuousClock.Instant = .now,
    _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    guard isMeasuring else { return try await work() }
    do throws(ImagePipeline.Error) {
      let value = try await work()
      report(
        stage, request, (value as? any OptionalValue)?.isNil == true ? .missed : .succeeded, since: start)
      return value
    } catch {
      report(
        stage, request, error.isCancellation ? .cancelled : .failed, since: start,
        code: error.isCancellation ? nil : error.code)
      throw error
    }
  }

  /// - Parameter code: The code of the error, if it failed.
  func report(
    _ stage: StageEvent.Stage, _ request: ImageRequest, _ outcome: StageEvent.Outcome,
    since start: ContinuousClock.Instant, code: String? = nil
  ) {
    guard isMeasuring else { return }
    subject.send(
      StageEvent(
        stage: stage, request: request, outcome: outcome, errorCode: code, start: start,
        duration: ContinuousClock.now - start))
  }
}

private protocol OptionalValue { var isNil: Bool { get } }

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}

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
