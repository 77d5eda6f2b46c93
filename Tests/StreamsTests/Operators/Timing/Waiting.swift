import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// A publisher with an effect that waits for a scheduler or a task, and what happens to that in a released chain.
struct Waiting: Sendable {
  /// When everything but the scheduler is released.
  enum Moment {
    /// The scheduler has not made the subscription yet.
    case unsubscribed
    /// The subscription is made.
    case subscribed
    /// One value was sent, and another one waits.
    case value
    /// A completion waits behind these values.
    case finished, failed
  }

  enum Fate {
    /// Retains the subscriber until it has received these signals.
    case later(String)
    /// Releases everything at once.
    case silent
  }

  typealias Signals = AnyPublisher<Cargo, TestFailure>

  let name: String
  /// The source file of the effect, without its extension.
  let file: String
  let fates: [Moment: Fate]
  let make: @Sendable (Signals, VirtualScheduler) -> Signals

  private init(
    _ name: String, in file: String, _ fates: [Moment: Fate],
    _ make: @escaping @Sendable (Signals, VirtualScheduler) -> any Publisher<Cargo, TestFailure>
  ) {
    (self.name, self.file, self.fates) = (name, file, fates)
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  /// Every file of the library that schedules something for a stream, or starts a task for one. A house test sees to that.
  static let all = combine + beyond + tasks

  private static let combine = [
    Waiting(
      "receive(on:)", in: "ReceiveOn",
      [.subscribed: .silent, .value: .later("2"), .finished: .later("2 |"), .failed: .later("2 x")]
    ) { $0.receive(on: $1) },
    Waiting(
      "delay", in: "Delay",
      [.subscribed: .silent, .value: .later("1 2"), .finished: .later("1 2 |"), .failed: .later("1 2 x")]
    ) { $0.delay(for: 10, scheduler: $1) },
    Waiting(
      "throttle", in: "Throttle",
      [.subscribed: .silent, .value: .later("2"), .finished: .later("2 |"), .failed: .later("2 x")]
    ) { $0.throttle(for: 10, scheduler: $1, latest: true) },
    Waiting(
      "debounce", in: "Debounce",
      [.subscribed: .silent, .value: .silent, .finished: .later("|"), .failed: .later("x")]
    ) { $0.debounce(for: 10, scheduler: $1) },
    Waiting(
      "collect by time", in: "CollectByTime",
      [.subscribed: .silent, .value: .silent, .finished: .later("2 |"), .failed: .later("x")]
    ) { $0.collect(.byTime($1, 10)).compactMap(\.last) },
    Waiting(
      "collect by time or count", in: "CollectByTime",
      [.subscribed: .silent, .value: .later("2"), .finished: .later("2 |"), .failed: .later("2 x")]
    ) { $0.collect(.byTimeOrCount($1, 10, 2)).compactMap(\.last) },
    Waiting(
      "timeout", in: "Timeout",
      [.subscribed: .silent, .value: .later("2"), .finished: .later("2 |"), .failed: .later("2 x")]
    ) { $0.timeout(10, scheduler: $1) },
    Waiting(
      "subscribe(on:)", in: "SubscribeOn",
      [.unsubscribed: .later("x"), .subscribed: .silent, .value: .silent]
    ) {
      $0.subscribe(on: $1)
    },
  ]

  private static let beyond = [
    Waiting(
      "debounce that flushes", in: "DebounceFlushing",
      [.subscribed: .silent, .value: .silent, .finished: .later("2 |"), .failed: .later("x")]
    ) { $0.debounce(for: 10, scheduler: $1, flushesOnCompletion: true) },
    Waiting(
      "throttle(reducing:)", in: "ThrottleReducing",
      [.subscribed: .silent, .value: .later("2"), .finished: .later("2 |"), .failed: .later("x")]
    ) { $0.throttle(for: 10, scheduler: $1, reducing: { $1 }) },
    Waiting("timeout(other:)", in: "TimeoutOther", [.subscribed: .silent, .value: .silent]) {
      $0.timeout(10, scheduler: $1, other: Empty())
    },
    Waiting("prefix(duration:)", in: "PrefixDuration", [.subscribed: .silent, .value: .silent]) {
      $0.prefix(duration: 10, on: $1)
    },
    Waiting("drop(duration:)", in: "PrefixDuration", [.subscribed: .silent, .value: .silent]) {
      $0.drop(duration: 10, on: $1)
    },
    Waiting(
      "retry by a policy", in: "RetryLater", [.subscribed: .silent, .value: .silent, .failed: .later("x")]
    ) { $0.retry(1, delay: .seconds(10), scheduler: $1) },
    Waiting("refCount(disconnectAfter:)", in: "RefCount", [.subscribed: .silent, .value: .silent]) {
      $0.multicast { PassthroughSubject() }.refCount(disconnectAfter: 10, scheduler: $1)
    },
    Waiting("timerPublisher(after:)", in: "Timer", [.subscribed: .silent]) { _, scheduler in
      scheduler.timerPublisher(after: 10).map { _ in Cargo("1") }.setFailureType(to: TestFailure.self)
    },
  ]

  private static let tasks = [
    Waiting(
      "asyncMap", in: "AsyncMap", [.subscribed: .silent, .value: .later("1"), .finished: .later("1 |")]
    ) {
      upstream, _ in upstream.asyncMap { value async throws(TestFailure) in value }
    },
    Waiting("AsyncCall", in: "AsyncCall", [.subscribed: .later("1 |")]) { _, _ in
      MorePublishers.AsyncCall { () async throws(TestFailure) in Cargo("1") }
    },
    Waiting("a future of a closure", in: "Future+async", [.subscribed: .later("1 |")]) { _, _ in
      Future { () async throws(TestFailure) in Cargo("1") }
    },
    Waiting("an asynchronous sequence", in: "AsyncWalk", [.subscribed: .later("1 |")]) { _, _ in
      Publishers.unfold(Cargo?.some(Cargo("1"))) { (cargo: inout Cargo?) async -> Cargo? in
        defer { cargo = nil }
        return cargo
      }
      .setFailureType(to: TestFailure.self)
    },
  ]
}

extension Waiting: CustomTestStringConvertible {
  var testDescription: String { name }
}

extension Waiting.Moment {
  func reach(
    _ subject: PassthroughSubject<Cargo, TestFailure>, _ scheduler: VirtualScheduler,
    _ cargo: (String) -> Cargo
  ) {
    if self == .unsubscribed { return }
    scheduler.advance()
    if self == .subscribed { return }
    subject.send(cargo("1"))
    scheduler.advance()
    subject.send(cargo("2"))
    switch self {
    case .finished: subject.send(completion: .finished)
    case .failed: subject.send(completion: .failure(.scripted))
    case .unsubscribed, .subscribed, .value: break
    }
  }
}

extension Publisher<Cargo, TestFailure> {
  /// Counts in `open` the subscriptions that neither ended nor were cancelled.
  func counted(in open: Guarded<Int>) -> Waiting.Signals {
    let count = { (change: Int) in open.withLock { $0 += change } }
    return handleEvents(
      receiveSubscription: { _ in count(1) }, receiveCompletion: { _ in count(-1) },
      receiveCancel: { count(-1) }
    ).eraseToAnyPublisher()
  }
}

final class Cargo: Sendable {
  let name: String

  init(_ name: String) { self.name = name }
}

/// A subscriber that only its subscription retains, unless it holds that.
final class Quiet: Subscriber {
  private let log: Guarded<[String]>
  private let holds: Bool
  private var subscription: (any Subscription)?
  private var isCancelled = false

  init(_ log: Guarded<[String]>, holds: Bool) { (self.log, self.holds) = (log, holds) }

  func receive(subscription: any Subscription) {
    if isCancelled { return subscription.cancel() }
    if holds { self.subscription = subscription }
    subscription.request(.unlimited)
  }

  func receive(_ value: Cargo) -> Subscribers.Demand {
    log.withLock { $0.append(value.name) }
    return .none
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    log.withLock { $0.append(completion.isFailure ? "x" : "|") }
  }

  func cancel() {
    isCancelled = true
    subscription?.cancel()
    subscription = nil
  }
}
