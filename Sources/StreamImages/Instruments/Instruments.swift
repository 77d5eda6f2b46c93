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
    func report(_ outcome: StageEvent.Outcome) {
      subject.send(
        StageEvent(
          stage: stage, request: request, outcome: outcome, start: start,
          duration: ContinuousClock.now - start))
    }
    do throws(ImagePipeline.Error) {
      let value = try await work()
      report((value as? any OptionalValue)?.isNil == true ? .missed : .succeeded)
      return value
    } catch {
      if case .cancelled = error { report(.cancelled) } else { report(.failed) }
      throw error
    }
  }
}

private protocol OptionalValue { var isNil: Bool { get } }

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
