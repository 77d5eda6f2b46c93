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
