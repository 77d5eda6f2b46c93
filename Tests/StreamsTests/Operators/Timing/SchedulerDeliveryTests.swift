import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// An operator, and the signals that it must deliver on its scheduler.
private struct Scheduled: Sendable, CustomTestStringConvertible {
  typealias Numbers = PassthroughSubject<Int, Problem>

  let testDescription: String
  let promised: [String]
  let make: @Sendable (Numbers, InterruptingScheduler) -> AnyPublisher<Int, Problem>

  init(
    _ name: String, _ promised: String...,
    make: @escaping @Sendable (Numbers, InterruptingScheduler) -> any Publisher<Int, Problem>
  ) {
    testDescription = name
    self.promised = promised
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  static let combine = [
    Scheduled("receive(on:)", "1", "2", "3", "end") { $0.receive(on: $1) },
    Scheduled("delay", "1", "2", "3", "end") { $0.delay(for: 1, scheduler: $1) },
    Scheduled("timeout", "1", "2", "3", "end") { $0.timeout(.seconds(100_000), scheduler: $1) },
    Scheduled("timeout that expires", "end") { $0.timeout(1, scheduler: $1) },
    Scheduled("debounce", "1", "2", "3", "end") { $0.debounce(for: 1, scheduler: $1) },
    Scheduled("throttle, the last", "1", "2", "3", "end") {
      $0.throttle(for: 1, scheduler: $1, latest: true)
    },
    Scheduled("throttle, the first", "1", "2", "3", "end") {
      $0.throttle(for: 1, scheduler: $1, latest: false)
    },
    Scheduled("collect, by time", "6", "end") { $0.collect(.byTime($1, 1)).map { $0.reduce(0, +) } },
    Scheduled("collect, by time or count", "3", "3", "end") {
      $0.collect(.byTimeOrCount($1, 1, 2)).map { $0.reduce(0, +) }
    },
  ]

  static let beyond = [
    Scheduled("debounce that flushes", "1", "2", "3", "end") {
      $0.debounce(for: 1, scheduler: $1, flushesOnCompletion: true)
    },
    Scheduled("debounce that flushes at the end", "3", "end") {
      $0.debounce(for: .seconds(100_000), scheduler: $1, flushesOnCompletion: true)
    },
    Scheduled("throttle that reduces", "1", "2", "3", "end") {
      $0.throttle(for: 1, scheduler: $1) { ($0 ?? 0) + $1 }
    },
    Scheduled("prefix, for a time", "end") { $0.prefix(duration: 1, on: $1) },
    Scheduled("timeout with another publisher", "7", "end") {
      $0.timeout(1, scheduler: $1, other: Just(7).setFailureType(to: Problem.self))
    },
    Scheduled("retry with a delay", "7", "end") { _, scheduler in
      let attempts = Guarded(0)
      return Deferred {
        attempts.withLock { $0 += 1 }
        return Result<Int, Problem>.Publisher(
          attempts.withLock { $0 } == 1 ? .failure(Problem(code: 1)) : .success(7))
      }.retry(1, delay: .zero, scheduler: scheduler)
    },
    Scheduled("a timer that fires once", "7", "end") { _, scheduler in
      scheduler.timerPublisher(after: 1).map { _ in 7 }.setFailureType(to: Problem.self)
    },
    Scheduled("a timer", "7") { _, scheduler in
      scheduler.timerPublisher(every: 1).autoconnect().map { _ in 7 }.setFailureType(to: Problem.self)
    },
  ]
}

extension Scheduled {
  /// Operators that keep values without demand.
  fileprivate static let waiting = [
    Scheduled("throttle that reduces", "6", "end") { $0.throttle(for: 1, scheduler: $1) { ($0 ?? 0) + $1 } },
    Scheduled("a timer that fires once", "7", "end") { _, scheduler in
      scheduler.timerPublisher(after: 1).map { _ in 7 }.setFailureType(to: Problem.self)
    },
  ]
}

@Suite("Delivery on a scheduler", .leavesNothing)
struct SchedulerDeliveryTests {
  @Test(
    "An operator delivers on its scheduler, also if a job finds upstream's thread inside",
    arguments: Scheduled.combine + Scheduled.beyond, [false, true])
  private func delivers(_ row: Scheduled, fails: Bool) {
    let scheduler = InterruptingScheduler()
    let subject = Scheduled.Numbers()
    let (on, off) = (Guarded<[String]>([]), Guarded<[String]>([]))
    func note(_ signal: String) { (scheduler.isCurrent ? on : off).withLock { $0.append(signal) } }
    let cancellable = row.make(subject, scheduler).sink(
      receiveCompletion: { _ in note("end") }, receiveValue: { note("\($0)") }, isolation: nil)

    for value in 1...3 { subject.send(value) }
    subject.send(completion: fails ? .failure(Problem(code: 1)) : .finished)
    waitForDeliveries()

    #expect(off.withLock { $0 } == [])
    if fails {
      #expect(on.withLock { $0.last } == row.promised.last)
    } else {
      #expect(on.withLock { $0 } == row.promised)
    }
    cancellable.cancel()
  }

  @Test(
    "A signal that waits for demand is delivered on the scheduler, also if another thread requests it",
    arguments: Scheduled.waiting)
  private func delivers(_ row: Scheduled) {
    let scheduler = InterruptingScheduler()
    let subject = Scheduled.Numbers()
    let (on, off) = (Guarded<[String]>([]), Guarded<[String]>([]))
    func note(_ signal: String) { (scheduler.isCurrent ? on : off).withLock { $0.append(signal) } }
    let recorder = row.make(subject, scheduler)
      .handleEvents(receiveOutput: { note("\($0)") }, receiveCompletion: { _ in note("end") })
      .record(demand: .none)

    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    elsewhere { recorder.request(.unlimited) }

    #expect(off.withLock { $0 } == [])
    #expect(on.withLock { $0 } == row.promised)
  }

  @Test("A value for which a job finds upstream's thread inside waits for one more job, and for no signal")
  func anotherJob() {
    let scheduler = InterruptingScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.throttle(for: 1, scheduler: scheduler, latest: true).record()

    subject.send(1)
    waitForDeliveries()

    #expect(scheduler.jobs == 2)
    #expect(recorder.values == [1])
    recorder.cancel()
  }

  @Test("A job that finds upstream's thread inside, but no value to deliver, is the only one")
  func noOtherJob() {
    let scheduler = InterruptingScheduler()

    let recorder = PassthroughSubject<Int, Never>().collect(.byTime(scheduler, 1)).record()
    waitForDeliveries()

    #expect(scheduler.jobs == 1)
    recorder.cancel()
  }

  @Test("A timer that finds `timeout` subscribing leads to no further job if the subscriber cancels then")
  func noJobOnceCancelled() {
    let scheduler = InterruptingScheduler()

    let recorder = PassthroughSubject<Int, Never>().timeout(1, scheduler: scheduler).record(demand: .none) {
      $0.onSubscription = { recorder in
        recorder.request(.max(1))
        recorder.cancel()
      }
    }

    #expect(scheduler.jobs == 1)
    #expect(recorder.events == [.subscription])
  }

  @Test("A timer delivers on its scheduler, also if another thread subscribes at that moment")
  func subscribing() {
    let scheduler = InterruptingScheduler()
    let timer = scheduler.timerPublisher(every: 1)
    let places = Guarded<[Bool]>([])
    let connection = Guarded<(any Cancellable)?>(nil)
    let first = timer.sink(
      receiveValue: { _ in places.withLock { $0.append(scheduler.isCurrent) } }, isolation: nil)

    let second = timer.handleEvents(receiveSubscription: { _ in
      let new = timer.connect()
      connection.withLock { $0 = new }
    }).sink(receiveValue: { _ in }, isolation: nil)
    waitForDeliveries()

    #expect(places.withLock { $0 } == [true])
    for cancellable in [first, second] { cancellable.cancel() }
    connection.withLock { $0 }?.cancel()
  }
}
