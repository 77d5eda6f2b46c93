#if canImport(Darwin)
  internal import Observation
#else
  @_spi(SwiftUI) internal import Observation
#endif

/// Signals before what a closure reads changes.
struct ObservationSignals: Publisher, Sendable {
  typealias Output = Void
  typealias Failure = Never

  /// Where `read` belongs.
  let home: (any Actor)?
  let read: @Sendable () -> Void

  func receive<Downstream: Subscriber<Void, Never>>(subscriber: Downstream) {
    let watch = ObservationWatch(of: read, on: home, Outlet(to: subscriber))
    subscriber.receive(subscription: watch)
    watch.arm()
  }
}

/// One subscription: tracks what is read, and tracks it anew after each change.
///
/// The objects do not hold it: its closure holds them.
private final class ObservationWatch: Subscription, Sendable {
  private let outlet: Outlet<Void, Never>
  private let read: Guarded<(@Sendable () -> Void)?>
  /// Brings a call to where `read` belongs.
  private let delivery: ActorDelivery?

  init(of read: @escaping @Sendable () -> Void, on home: (any Actor)?, _ outlet: Outlet<Void, Never>) {
    self.outlet = outlet
    self.read = Guarded(read)
    delivery = home.map { ActorDelivery(to: $0) }
  }

  func request(_ demand: Subscribers.Demand) { _ = outlet.request(demand) }

  func cancel() {
    _ = outlet.close()
    withExtendedLifetime(read.withLock { $0.take() }) {}
    delivery?.close()
  }

  func arm() {
    if let delivery, !delivery.isHere { delivery.deliver { self.track() } } else { track() }
  }

  private func track() {
    guard let read = read.withLock({ $0 }) else { return }
    #if canImport(Darwin)
      // No hook after the change: read before it, what the closure reads from now on is noticed one change late.
      withObservationTracking(read) { [weak self] in
        self?.arm()
        self?.outlet.offer(())
      }
    #else
      withObservationTracking(
        read, willSet: { [weak self] _ in self?.outlet.offer(()) },
        didSet: { [weak self] tracking in
          tracking.cancel()
          self?.arm()
        })
    #endif
  }
}

extension ObservationWatch: ReflectedByName {
  var description: String { "Observing" }
}
