internal import Streams
internal import Synchronization

/// Measures what a pipeline does, as long as somebody wants to know.
final class Instruments: Sendable, Reflected {
  private let subject = PassthroughSubject<StageEvent, Never>()
  private let watchers = Atomic(0)

  /// Each subscription counts as somebody who wants to know.
  var events: AnyPublisher<StageEvent, Never> {
    Deferred { [self] in
      let watch = Watch(self)
      return subject.handleEvents(
        receiveSubscription: { _ in watch.begin() }, receiveCompletion: { _ in watch.end() },
        receiveCancel: { watch.end() })
    }
    .eraseToAnyPublisher()
  }

  func measure<Value>(
    _ stage: StageEvent.Stage, _ request: ImageRequest,
    _ work: () async throws(ImagePipeline.Error) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    guard watchers.load(ordering: .relaxed) > 0 else { return try await work() }
    let start = ContinuousClock.now
    func tell(_ outcome: StageEvent.Outcome) {
      subject.send(
        StageEvent(
          stage: stage, request: request, outcome: outcome, start: start,
          duration: ContinuousClock.now - start))
    }
    do throws(ImagePipeline.Error) {
      let value = try await work()
      tell((value as? any OptionalValue)?.isNil == true ? .missed : .succeeded)
      return value
    } catch {
      if case .cancelled = error { tell(.cancelled) } else { tell(.failed) }
      throw error
    }
  }

  /// Counts one subscription, once.
  private final class Watch: Sendable, Reflected {
    private let instruments: Instruments
    private let isCounted = Atomic(false)

    init(_ instruments: Instruments) { self.instruments = instruments }

    deinit { end() }

    func begin() {
      isCounted.store(true, ordering: .relaxed)
      instruments.watchers.add(1, ordering: .relaxed)
    }

    func end() {
      if isCounted.exchange(false, ordering: .relaxed) {
        instruments.watchers.subtract(1, ordering: .relaxed)
      }
    }
  }
}

private protocol OptionalValue { var isNil: Bool { get } }

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { if case .none = self { true } else { false } }
}
