#if canImport(Darwin)
  internal import Observation
#else
  @_spi(SwiftUI) internal import Observation
#endif

/// Signals before what a closure reads changes.
struct ObservationSignals: Publisher, Sendable {
  typealias Output = Void
  typealias Failure = Never

  /// The actor of `read`.
  let home: (any Actor)?
  let read: @Sendable () -> Void

  func receive<Downstream: Subscriber<Void, Never>>(subscriber: Downstream) {
    let core = OperatorCore("Observing", to: subscriber)
    let tracking = ObservationTracking(of: read, on: home) { [weak core] in
      core?.perform { core?.offer(()) }
    }
    core.onEnd { tracking.stop() }
    subscriber.receive(subscription: core)
    tracking.start()
  }
}

/// Tracks what a closure reads, and tracks it anew after each change.
///
/// The objects do not hold it: its closure holds them.
private final class ObservationTracking: Sendable {
  private let read: Guarded<(@Sendable () -> Void)?>
  private let willChange: Transfer<() -> Void>
  /// Brings a call to where `read` belongs.
  private let delivery: ActorDelivery?

  init(
    of read: @escaping @Sendable () -> Void, on home: (any Actor)?, willChange: @escaping () -> Void
  ) {
    self.read = Guarded(read)
    self.willChange = Transfer(willChange)  // the core behind it takes one signal at a time
    delivery = home.map { ActorDelivery(to: $0) }
  }

  func stop() {
    withExtendedLifetime(read.withLock { $0.take() }) {}
    delivery?.close()
  }

  func start() {
    if let delivery, !delivery.isHere { delivery.deliver { self.track() } } else { track() }
  }

  private func track() {
    guard let read = read.withLock({ $0 }) else { return }
    #if canImport(Darwin)
      // No hook after the change: read before it, what the closure reads from now on is noticed one change late.
      withObservationTracking(read) { [weak self] in
        self?.start()
        self?.willChange.value()
      }
    #else
      withObservationTracking(
        read, willSet: { [weak self] _ in self?.willChange.value() },
        didSet: { [weak self] tracking in
          tracking.cancel()
          self?.start()
        })
    #endif
  }
}
