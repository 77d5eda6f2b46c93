internal import Streams
internal import Synchronization

extension Publisher {
  /// Calls `change` with 1 for each subscription, and with -1 once when it finishes, fails, is cancelled or released.
  func counting(_ change: @escaping @Sendable (Int) -> Void) -> AnyPublisher<Output, Failure> {
    Deferred { () -> Publishers.HandleEvents<Self> in
      let subscription = CountedSubscription(change)
      return handleEvents(
        receiveSubscription: { _ in subscription.begin() }, receiveCompletion: { _ in subscription.end() },
        receiveCancel: { subscription.end() })
    }
    .eraseToAnyPublisher()
  }
}

private final class CountedSubscription: Sendable, Reflected {
  private let change: @Sendable (Int) -> Void
  private let isCounted = Atomic(false)

  init(_ change: @escaping @Sendable (Int) -> Void) { self.change = change }

  deinit { end() }

  func begin() {
    isCounted.store(true, ordering: .relaxed)
    change(1)
  }

  func end() {
    if isCounted.exchange(false, ordering: .relaxed) { change(-1) }
  }
}
