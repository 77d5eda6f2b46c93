package import Dispatch
public import Streams
package import StreamsExtras
internal import StreamsFoundation

/// Reads a ``MemoryGauge`` at intervals and publishes the memory pressure.
package final class MemoryMonitor: Sendable {
  package static let shared = MemoryMonitor(
    MemoryGauge(), every: 2, on: DispatchQueue.global(qos: .utility).eraseToAnyScheduler())

  private struct State: Sendable {
    var listeners = 0
    var stalls: (some: Int, all: Int)?
    var last = MemoryPressure.normal
    /// `nil` while there is no subscriber.
    var repetition: AnyCancellable?
  }

  private let gauge: MemoryGauge
  private let interval: Double
  private let scheduler: AnySchedulerOf<DispatchQueue>
  private let subject = PassthroughSubject<MemoryPressure, Never>()
  private let state = Guarded(State())

  /// - Parameter interval: In seconds.
  package init(_ gauge: MemoryGauge, every interval: Double, on scheduler: AnySchedulerOf<DispatchQueue>) {
    self.gauge = gauge
    self.interval = interval
    self.scheduler = scheduler
  }

  package var publisher: AnyPublisher<MemoryPressure, Never> {
    subject.counting { [self] in change(by: $0) }
  }

  /// Whether the gauge is being read.
  package var isWatching: Bool { state.withLock { $0.repetition != nil } }

  private func change(by count: Int) {
    let stalls = gauge.stalls
    let (starts, ended) = state.withLock { state in
      state.listeners += count
      let isFirst = state.listeners == 1 && count == 1
      if isFirst { state.stalls = stalls }
      guard state.listeners == 0 else { return (isFirst, AnyCancellable?.none) }
      return (isFirst, state.repetition.take())
    }
    ended?.cancel()
    if starts { start() }
  }

  private func start() {
    let stride = DispatchQueue.SchedulerTimeType.Stride.seconds(interval)
    let repetition = scheduler.schedule(
      after: scheduler.now.advanced(by: stride), interval: stride, tolerance: .seconds(interval / 2),
      options: nil
    ) { [weak self] in self?.look() }
    // Its subscriber cannot have cancelled yet: it receives the subscription afterwards.
    let kept = AnyCancellable(repetition)
    state.withLock { $0.repetition = kept }
  }

  private func look() {
    let (stalls, share) = (gauge.stalls, gauge.share)
    let news = state.withLock { state -> MemoryPressure? in
      let pressure = max(Self.pressure(from: state.stalls, to: stalls, interval), Self.pressure(of: share))
      defer { (state.stalls, state.last) = (stalls, pressure) }
      return pressure == .normal && state.last == .normal ? nil : pressure
    }
    if let news { subject.send(news) }
  }

  /// Waiting for a tenth of the time counts as pressure.
  private static func pressure(
    from before: (some: Int, all: Int)?, to now: (some: Int, all: Int)?, _ interval: Double
  ) -> MemoryPressure {
    guard let before, let now else { return .normal }
    let threshold = interval * 100_000
    if Double(now.all - before.all) >= threshold { return .critical }
    return Double(now.some - before.some) >= threshold ? .warning : .normal
  }

  private static func pressure(of share: Double?) -> MemoryPressure {
    guard let share else { return .normal }
    return share >= 0.95 ? .critical : share >= 5.0 / 6 ? .warning : .normal
  }
}

/// How short memory is.
public enum MemoryPressure: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// There is enough memory.
  case normal
  /// Some tasks wait for memory at least a tenth of the time, or the container uses at least five sixths of its limit.
  case warning
  /// All tasks wait for memory at least a tenth of the time, or the container uses at least 95 % of its limit.
  case critical

  /// A publisher of the system's memory pressure. It reports pressure about every two seconds while it lasts, and its
  /// end once.
  ///
  /// It reads the pressure figures of the kernel and the limits of the control group, while there is a subscriber. If
  /// neither exists, it publishes nothing. Values arrive on a Dispatch thread.
  public static var system: AnyPublisher<MemoryPressure, Never> { MemoryMonitor.shared.publisher }

  public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool {
    left.rawValue < right.rawValue
  }
}
