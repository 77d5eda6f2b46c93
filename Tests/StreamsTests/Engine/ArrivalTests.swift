import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Engine: a subscriber that is still being sent its subscription", .leavesNothing)
struct ArrivalTests {
  @Test(
    "No other thread calls a subscriber before `receive(subscription:)` has returned (law X19)",
    arguments: Way.allCases)
  func nothingEarly(_ way: Way) {
    let subject = PassthroughSubject<Int, Problem>()
    let waiting = Transfer(subject)  // used by one thread at a time
    let subscriber = Arriving { if way.isSent { elsewhere { waiting.value.send(2) } } }

    way.attach(subscriber, subject)

    #expect(subscriber.early == (way.isSent ? [1] : []))
    if way.isSent { subject.send(3) }
    // A subject that is subscribed to after `receive(subscription:)` has not sent 2 to it.
    #expect(subscriber.values == (way.isSent ? [1, 3] : [1]))
    subscriber.cancel()
  }

  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case append, prepend, `catch`, tryCatch, receiveOn, delay, timeout, subscribeOn

    var testDescription: String { rawValue }

    /// Whether the publisher that another one follows is the subject.
    var isSent: Bool {
      switch self {
      case .append, .prepend, .catch, .tryCatch: true
      case .receiveOn, .delay, .timeout, .subscribeOn: false
      }
    }

    fileprivate func attach(_ subscriber: Arriving, _ subject: PassthroughSubject<Int, Problem>) {
      let one = [1].publisher.setFailureType(to: Problem.self)
      let broken = Record<Int, Problem>(output: [1], completion: .failure(Problem(code: 1)))
      let scheduler = ElsewhereScheduler()
      switch self {
      case .append: one.append(subject).subscribe(subscriber)
      case .prepend: subject.prepend(1).subscribe(subscriber)
      case .catch: broken.catch { _ in subject }.subscribe(subscriber)
      case .tryCatch: broken.tryCatch { _ in subject }.mapError { $0 as! Problem }.subscribe(subscriber)
      case .receiveOn: one.receive(on: scheduler).subscribe(subscriber)
      case .delay: one.delay(for: 0, scheduler: scheduler).subscribe(subscriber)
      case .timeout: one.timeout(1_000, scheduler: scheduler).subscribe(subscriber)
      case .subscribeOn: one.subscribe(on: scheduler).subscribe(subscriber)
      }
    }
  }
}

/// Requests everything when its subscription arrives, and then goes on for a while.
private final class Arriving: Subscriber {
  typealias Input = Int
  typealias Failure = Problem

  private let received = Guarded<[Int]>([])
  private let whileArriving: () -> Void
  private var subscription: (any Subscription)?
  /// What has come before `receive(subscription:)` returned.
  private(set) var early: [Int] = []

  init(_ whileArriving: @escaping () -> Void) { self.whileArriving = whileArriving }

  var values: [Int] { received.withLock { $0 } }

  func cancel() { subscription.take()?.cancel() }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
    whileArriving()
    early = values
  }

  func receive(_ value: Int) -> Subscribers.Demand {
    received.withLock { $0.append(value) }
    return .none
  }

  func receive(completion _: Subscribers.Completion<Problem>) {}
}

/// Runs each job on another thread, and waits for its end, whatever the date.
private final class ElsewhereScheduler: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options _: Never?, _ action: @escaping () -> Void) {
    let job = Transfer(action)  // run once, while this thread waits
    elsewhere { job.value() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance _: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    if now.distance(to: date) < 1_000 { schedule(options: options, action) }
  }

  func schedule(
    after _: SchedulerTimeType, interval _: SchedulerTimeType.Stride, tolerance _: SchedulerTimeType.Stride,
    options _: Never?, _: @escaping () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
