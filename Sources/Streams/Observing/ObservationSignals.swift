// The function that reports both sides of a change is SPI of the open-source library until Swift 6.4, which replaces it.
#if canImport(Darwin) || compiler(>=6.4)
  internal import Observation
#else
  @_spi(SwiftUI) internal import Observation
#endif

/// Signals before what a closure reads changes.
package struct ObservationSignals: Publisher, Sendable {
  package typealias Output = Void
  package typealias Failure = Never

  /// The actor of `read`.
  let home: (any Actor)?
  /// Tracks after each change instead of before it, where the library can.
  let tracksAfterChange: Bool
  let read: @Sendable () -> Void

  package init(home: (any Actor)?, tracksAfterChange: Bool = true, read: @escaping @Sendable () -> Void) {
    self.home = home
    self.tracksAfterChange = tracksAfterChange
    self.read = read
  }

  package func receive<Downstream: Subscriber<Void, Never>>(subscriber: Downstream) {
    let core = OperatorCore("Observing", to: subscriber)
    let tracking = ObservationTracking(of: read, on: home, tracksAfterChange: tracksAfterChange) {
      [weak core] in
      core?.performValue { core?.offer(()) }
    }
    core.onEnd { tracking.stop() }
    subscriber.receive(subscription: core)
    tracking.start()
  }
}

/// Tracks what a closure reads, and tracks it anew at each change.
///
/// The objects do not hold it: its closure holds them.
private final class ObservationTracking: Sendable {
  /// Not the closure itself, which each access under a lock would wrap once more.
  private struct Reading {
    let read: @Sendable () -> Void
  }

  private let reading: Guarded<Reading?>
  private let willChange: Transfer<() -> Void>
  private let tracksAfterChange: Bool
  /// Brings a call to where `read` belongs.
  private let delivery: ActorDelivery?

  init(
    of read: @escaping @Sendable () -> Void, on home: (any Actor)?, tracksAfterChange: Bool,
    willChange: @escaping () -> Void
  ) {
    self.tracksAfterChange = tracksAfterChange
    reading = Guarded(Reading(read: read))
    self.willChange = Transfer(willChange)  // the core behind it takes one signal at a time
    delivery = home.map { ActorDelivery(to: $0) }
  }

  func stop() {
    withExtendedLifetime(reading.withLock { $0.take() }) {}
    delivery?.close()
  }

  func start() {
    if let delivery, !delivery.isHere { delivery.deliver { self.track() } } else { track() }
  }

  private func track() {
    guard let read = reading.withLock({ $0?.read }) else { return }
    #if !canImport(Darwin) && compiler(<6.4)
      if tracksAfterChange {
        return withObservationTracking(
          read, willSet: { [weak self] _ in self?.willChange.value() },
          didSet: { [weak self] tracking in
            tracking.cancel()
            self?.start()
          })
      }
    #endif
    // Read before the change: what the closure reads only from now on is noticed one change late.
    withObservationTracking(read) { [weak self] in
      self?.start()
      self?.willChange.value()
    }
  }
}
