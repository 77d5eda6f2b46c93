import Streams
import StreamsTesting
import Testing

@Suite("Scheduled work of a chain that nobody retains", .leavesNothing)
struct ReleasedChainTests {
  enum Operator: String, CaseIterable {
    case throttle, delay, receiveOn, debounce, collectByTime

    func subscribe(_ quiet: Quiet, to subject: PassthroughSubject<Int, Never>, on scheduler: VirtualScheduler)
    {
      switch self {
      case .throttle: subject.throttle(for: 10, scheduler: scheduler, latest: true).subscribe(quiet)
      case .delay: subject.delay(for: 10, scheduler: scheduler).subscribe(quiet)
      case .receiveOn: subject.receive(on: scheduler).subscribe(quiet)
      case .debounce: subject.debounce(for: 10, scheduler: scheduler).subscribe(quiet)
      case .collectByTime: subject.collect(.byTime(scheduler, 10)).map(\.count).subscribe(quiet)
      }
    }
  }

  @Test(
    "`throttle`, `delay` and `receive(on:)` retain the subscription until waiting values are delivered, as in Combine",
    arguments: [Operator.throttle, .delay, .receiveOn])
  func delivers(name: Operator) {
    let (scheduler, log) = (VirtualScheduler.virtual, Guarded<[String]>([]))

    leave(name, scheduler, log)
    let before = log.withLock { $0 }
    scheduler.advance(by: 20)

    #expect(!before.contains("released"))
    #expect(log.withLock { $0.suffix(2) } == ["2", "released"])
  }

  @Test(
    "`debounce` and `collect` do not retain the subscription, and send nothing once it is released",
    arguments: [Operator.debounce, .collectByTime])
  func isSilent(name: Operator) {
    let (scheduler, log) = (VirtualScheduler.virtual, Guarded<[String]>([]))

    leave(name, scheduler, log)
    let before = log.withLock { $0 }
    scheduler.advance(by: 20)

    #expect(before == ["released"])
    #expect(log.withLock { $0 } == ["released"])
  }

  /// Subscribes, sends two values, the second of which waits, and releases everything but the scheduler.
  private func leave(_ name: Operator, _ scheduler: VirtualScheduler, _ log: Guarded<[String]>) {
    let subject = PassthroughSubject<Int, Never>()
    name.subscribe(Quiet(log), to: subject, on: scheduler)
    subject.send(1)
    scheduler.advance()
    subject.send(2)
  }
}

/// A subscriber that only its subscription retains.
final class Quiet: Subscriber {
  private let log: Guarded<[String]>

  init(_ log: Guarded<[String]>) { self.log = log }

  deinit { log.withLock { $0.append("released") } }

  func receive(subscription: any Subscription) { subscription.request(.unlimited) }

  func receive(_ value: Int) -> Subscribers.Demand {
    log.withLock { $0.append("\(value)") }
    return .none
  }

  func receive(completion _: Subscribers.Completion<Never>) {}
}
