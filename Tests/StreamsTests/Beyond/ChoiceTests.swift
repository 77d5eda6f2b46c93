import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Pace and choice", .leavesNothing)
struct ChoiceTests {
  private let script = Script(Int.self, failure: Problem.self)
  private let other = Script(Int.self, failure: Problem.self)

  @Test("`throttle` with a reduction sends at once after a pause, and else when the interval is over")
  func throttle() {
    let scheduler = VirtualScheduler.virtual
    let recorder = script.throttle(for: .seconds(1), scheduler: scheduler) { ($0 ?? 0) + $1 }.record()
    var seen: [[Int]] = []
    func wait(_ time: VirtualTime.Stride) {
      scheduler.advance(by: time)
      seen.append(recorder.values)
    }

    script.say(1)
    seen.append(recorder.values)
    wait(.zero)
    wait(.milliseconds(500))
    script.say(2, 3)
    wait(.milliseconds(499))
    wait(.milliseconds(1))
    wait(.seconds(1))
    script.say(4)
    wait(.zero)
    wait(.seconds(5))
    script.say(5)
    wait(.zero)

    #expect(
      seen == [[], [1], [1], [1], [1, 5], [1, 5], [1, 5, 4], [1, 5, 4], [1, 5, 4, 5]])
    #expect(script.demands == [.unlimited])
    #expect(scheduler.pending == 0)
  }

  @Test("`throttle` with a reduction fails in the next job, and finishes after a value that waits for demand")
  func throttleEnds() {
    let scheduler = VirtualScheduler.virtual
    let failing = script.throttle(for: .seconds(1), scheduler: scheduler) { $1 }.record()
    let waiting = other.throttle(for: .seconds(1), scheduler: scheduler) { ($0 ?? 0) + $1 }
      .record(demand: .none)
    script.say(1)
    scheduler.advance()
    script.say(2)
    script.end(.failure(Problem(code: 1)))
    let early = failing.completions.count
    scheduler.advance()

    other.say(1)
    scheduler.advance(by: .seconds(2))
    other.say(2)
    other.end()
    scheduler.advance(by: .seconds(2))
    let before = waiting.events
    waiting.request(.max(1))
    scheduler.advance()

    #expect(early == 0)
    #expect(failing.events == [.subscription, .value(1), .completion(.failure(Problem(code: 1)))])
    #expect(before == [.subscription])
    #expect(waiting.events == [.subscription, .value(3), .completion(.finished)])
  }

  @Test("`amb` asks each publisher for one value when any are requested, and then only the first to send")
  func amb() {
    let recorder = script.amb(other).record(demand: .none)
    let before = [script.demands, other.demands]
    recorder.request(.max(2))
    let asked = [script.demands, other.demands]
    other.say(1)
    script.say(9)
    other.say(2)
    recorder.request(.max(3))
    other.say(3)

    #expect(before == [[], []])
    #expect(asked == [[.max(1)], [.max(1)]])
    #expect(script.cancellations == 1 && script.demands == [.max(1)])
    #expect(other.cancellations == 0 && other.demands.last == .max(3))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("`amb` with no others is the publisher itself, and fails with the first to fail")
  func ambAlone() {
    let alone = script.amb(with: [Script<Int, Problem>]()).record()
    let both = script.amb(with: [other, other]).record()
    other.sessions[0].end(.failure(Problem(code: 3)))

    #expect(script.sessions.map { $0.subscription.cancellations } == [0, 1])
    #expect(other.sessions[1].subscription.cancellations == 1)
    #expect(both.completions == [.failure(Problem(code: 3))])
    #expect(alone.completions.isEmpty)
  }

  @Test("`expand` sends breadth-first unless told otherwise")
  func expand() {
    func children(_ number: Int) -> Publishers.Sequence<[Int], Never> {
      (number < 4 ? [2 * number, 2 * number + 1] : []).publisher
    }

    #expect(Just(1).expand { children($0) }.record().values == [1, 2, 3, 4, 5, 6, 7])
    #expect(Just(1).expand(.depthFirst) { children($0) }.record().values == [1, 2, 4, 5, 3, 6, 7])
    #expect(Just(1).expand { children($0) }.record(demand: .max(2)).values == [1, 2])
    #expect(Just(1).expand(.depthFirst) { children($0) }.record(demand: .max(3)).values == [1, 2, 4])
  }

  @Test("An asynchronous closure gets one value at a time from upstream unless told otherwise")
  func asynchronous() {
    let recorders: [any Cancellable] = [
      script.asyncMap { (value: Int) async throws(Problem) -> Int in value }.record(),
      script.tryAsyncMap { $0 }.record(),
      script.asyncCompactMap { (value: Int) async throws(Problem) -> Int? in value }.record(),
      script.asyncFlatMap { (value: Int) async throws(Problem) -> Record<Int, Problem> in
        Record(output: [value], completion: .finished)
      }.record(),
    ]
    let queued = script.asyncMap(.queue) { (value: Int) async throws(Problem) -> Int in value }.record()

    let expected: [[Subscribers.Demand]] = Array(repeating: [.max(1)], count: 4) + [[.unlimited]]
    #expect(script.sessions.map { $0.subscription.demands } == expected)
    withExtendedLifetime((recorders, queued)) {}
  }

  @Test("`zip` with a prefetch without a limit pairs values that nobody has requested (law H28)")
  func unrequested() {
    let recorder = MorePublishers.ZipPrefetching(script, other, prefetch: .max).map { $0.0 }.record(
      demand: .none)
    script.say(1, 2)
    other.say(1, 2)

    recorder.request(.max(1))
    recorder.request(.unlimited)

    #expect(recorder.values == [1, 2])
    withExtendedLifetime(recorder) {}
  }

  @Test("`zip` with a prefetch asks for as many values as said, and for at least one")
  func prefetch() {
    let publishers = [-3, 0, 1, 4].map { MorePublishers.ZipPrefetching(script, other, prefetch: $0) }
    let recorder = publishers[3].record()
    let demands = [script.demands, other.demands]
    let least = publishers[0].record()

    #expect(publishers.map(\.prefetch) == [1, 1, 1, 4])
    #expect(demands == [[.max(4)], [.max(4)]])
    #expect([script.demands, other.demands] == [[.max(1)], [.max(1)]])
    withExtendedLifetime(least) {}
    withExtendedLifetime(recorder) {}
  }

  @Test("An assignment to several objects keeps them alive unless told otherwise, and reaches each of them")
  func assignment() {
    let subject = PassthroughSubject<Int, Never>()
    let targets = (0..<3).map { _ in AssignedNumber() }
    let sinks = [
      subject.assign(to: \.number, on: targets[0], and: \.number, on: targets[1]),
      subject.assign(
        to: \.other, on: targets[0], and: \.other, on: targets[1], and: \.other, on: targets[2]),
    ]
    subject.send(1)
    #expect(targets.map(\.number) == [1, 1, 0])
    #expect(targets.map(\.other) == [1, 1, 1])

    weak var seen: AssignedNumber?
    var held: AnyCancellable?
    do {
      let target = AssignedNumber()
      seen = target
      held = subject.assign(to: \.number, on: target, and: \.other, on: targets[0])
    }
    #expect(seen != nil)
    held = nil
    do {
      let target = AssignedNumber()
      seen = target
      held = subject.assign(
        to: \.number, on: target, and: \.other, on: targets[0], and: \.other, on: targets[1])
    }
    #expect(seen != nil)
    withExtendedLifetime((sinks, held)) {}
  }

  @Test("`enumerated` counts from zero or from the given number")
  func enumerated() {
    #expect(["a", "b"].publisher.enumerated().record().values.map(\.0) == [0, 1])
    #expect(["a", "b"].publisher.enumerated(initial: 5).record().values.map(\.0) == [5, 6])
  }

  @Test("`UIScheduler` runs an action on the main actor if it is scheduled elsewhere")
  func uiScheduler() async {
    let isOnMain = await withCheckedContinuation { continuation in
      UIScheduler.shared.schedule { continuation.resume(returning: MainQueue.isCurrent) }
    }

    #expect(isOnMain)
  }

  @Test("A type-erased scheduler runs what the scheduler runs, at the same times and with its tolerance")
  func erased() {
    let scheduler = VirtualScheduler.virtual
    let erased = scheduler.eraseToAnyScheduler()
    var seen: [VirtualTime.Stride] = []
    func note() { seen.append(scheduler.now.elapsed) }
    erased.schedule { note() }
    erased.schedule(after: VirtualTime(.seconds(2))) { note() }
    let token = erased.schedule(after: VirtualTime(.seconds(3)), interval: .seconds(2)) { note() }
    scheduler.advance(by: .seconds(6))
    token.cancel()
    scheduler.advance(by: .seconds(6))

    #expect(seen == [.zero, .seconds(2), .seconds(3), .seconds(5)])
    #expect(erased.now == scheduler.now && erased.minimumTolerance == scheduler.minimumTolerance)
    #expect(!TaskScheduler().eraseToAnyScheduler().isBatching)
  }
}

private final class AssignedNumber {
  var number = 0
  var other = 0
}
