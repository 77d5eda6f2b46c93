import Streams

/// Holds what stops a repetition, until it is stopped from wherever.
final class Held: Sendable {
  private let cancellable = Guarded<AnyCancellable?>(nil)

  func hold(_ cancellable: some Cancellable) {
    let cancellable = AnyCancellable(cancellable)
    self.cancellable.withLock { $0 = cancellable }
  }

  func cancel() {
    let cancellable = cancellable.withLock { $0 }
    cancellable?.cancel()
  }
}
