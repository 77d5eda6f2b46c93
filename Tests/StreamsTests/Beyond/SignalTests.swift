import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Operators with a signal", .leavesNothing)
struct SignalTests {
  /// The values of a stream, as text, that another publisher governs.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case sample, collect, window

    var testDescription: String { rawValue }

    func build(
      _ script: Script<Int, Problem>, _ signal: Script<Int, Problem>
    ) -> AnyPublisher<String, Problem> {
      switch self {
      case .sample: script.sample(signal).map { "\($0)" }.eraseToAnyPublisher()
      case .collect: script.collect(by: signal).map { "\($0)" }.eraseToAnyPublisher()
      case .window: script.window(by: signal).flatMap { $0.collect() }.map { "\($0)" }.eraseToAnyPublisher()
      }
    }
  }

  private let script = Script(Int.self, failure: Problem.self)
  private let signal = Script(Int.self, failure: Problem.self)

  @Test("Everything is requested from the stream and from its signal", arguments: Kind.allCases)
  func demands(kind: Kind) {
    let recorder = kind.build(script, signal).record(demand: .max(1))

    #expect([script.demands, signal.demands] == [[.unlimited], [.unlimited]])
    recorder.cancel()
    #expect([script.cancellations, signal.cancellations] == [1, 1])
  }

  @Test(
    "A failure of the stream or of its signal ends both at once, without the rest", arguments: Kind.allCases)
  func failures(kind: Kind) {
    let other = SignalTests()
    let recorders = [
      kind.build(script, signal).record(), kind.build(other.script, other.signal).record(),
    ]
    for script in [script, other.script] { script.say(1) }
    script.end(.failure(Problem(code: 1)))
    other.signal.end(.failure(Problem(code: 2)))

    #expect(recorders[0].events == [.subscription, .completion(.failure(Problem(code: 1)))])
    #expect(recorders[1].events == [.subscription, .completion(.failure(Problem(code: 2)))])
    #expect(signal.cancellations == 1 && other.script.cancellations == 1)
  }

  @Test("A stream without values sends nothing when its signal sends, and finishes", arguments: Kind.allCases)
  func empty(kind: Kind) {
    let recorder = kind.build(script, signal).record()
    signal.say(0, 0)
    script.end()
    signal.say(0)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("`sample` sends its last value when the trigger finishes, and finishes with it")
  func sampleEnds() {
    let recorder = script.sample(signal).record()
    script.say(1, 2)
    signal.say(0, 0)
    script.say(3)
    let before = recorder.completions.count
    signal.end()

    #expect(before == 0)
    #expect(recorder.events == [.subscription, .value(2), .value(3), .completion(.finished)])
  }

  @Test("`collect(by:)` goes on collecting at a signal for which there is no demand")
  func collectWithoutDemand() {
    let recorder = script.collect(by: signal).record(demand: .none)
    script.say(1)
    signal.say(0)
    let before = recorder.values
    recorder.request(.max(1))
    script.say(2)
    signal.say(0)
    script.say(3)
    signal.end()
    let afterSignal = recorder.completions
    recorder.request(.max(1))
    script.end()

    #expect(before.isEmpty && afterSignal.isEmpty)
    #expect(recorder.events == [.subscription, .value([1, 2]), .value([3]), .completion(.finished)])
  }

  @Test("A window finishes at a cancellation, a signal or its count, and the next value opens another")
  func windows() {
    var seen: [Recorder<Int, Problem>] = []
    let recorder = script.window(by: signal).record {
      $0.onValue = { _, window in seen.append(window.record()) }
    }
    script.say(1)
    let open = seen.map(\.completions.count)
    signal.say(0)
    let closed = seen.map(\.completions.count)
    script.say(2, 3)
    signal.end()
    script.say(4)
    recorder.cancel()

    #expect(open == [0] && closed == [1])
    #expect(seen.map(\.values) == [[1], [2, 3, 4]])
    #expect(seen.map(\.completions) == [[.finished], [.finished]])

    let counted = SignalTests().script
    let lengths = counted.window(count: 2).record()
    counted.say(1, 2, 3)
    #expect(lengths.values.map { $0.record().values } == [[1, 2], [3]])
    #expect(lengths.values.map { $0.record().completions.count } == [1, 0])
  }

  @Test("A window keeps its newest values for a later subscriber, up to its buffer")
  func windowBuffer() {
    let recorder = script.window(count: 5, buffer: 2).record()
    script.say(1, 2, 3)

    #expect(recorder.values.map { $0.record().values } == [[2, 3]])
  }

  @Test("`timeout` counts from the last value, cancels the stream, and hands over the demand that is left")
  func timeout() {
    let scheduler = VirtualScheduler.virtual
    let other = Script(Int.self, failure: Problem.self)
    let recorder = script.timeout(.seconds(1), scheduler: scheduler, other: other).record(demand: .max(3))
    for value in 1...2 {
      scheduler.advance(by: .milliseconds(999))
      script.say(value)
    }
    scheduler.advance(by: .milliseconds(999))
    let before = [script.cancellations, other.sessions.count]
    scheduler.advance(by: .milliseconds(1))
    script.say(9)
    other.say(3)
    other.end(.failure(Problem(code: 1)))

    #expect(before == [0, 0])
    #expect(script.cancellations == 1)
    #expect(other.demands == [.max(1)])
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.failure(Problem(code: 1))])
  }

  @Test(
    "`timeout` with another publisher leaves no timer when the stream ends or is cancelled",
    arguments: [true, false])
  func timer(ends: Bool) {
    let scheduler = VirtualScheduler.virtual
    let other = Script(Int.self, failure: Problem.self)
    let recorder = script.timeout(.seconds(1), scheduler: scheduler, other: other).record()
    let before = scheduler.pending
    if ends { script.end(.failure(Problem(code: 1))) } else { recorder.cancel() }

    #expect([before, scheduler.pending] == [1, 0])
    #expect(recorder.completions == (ends ? [.failure(Problem(code: 1))] : []))
  }

  @Test("A timer for one date delivers its subscription at once, and its date when it is requested")
  func appointment() {
    let scheduler = VirtualScheduler.virtual
    let recorder = scheduler.timerPublisher(after: .seconds(2)).record(demand: .none)
    let first = recorder.events.count
    scheduler.advance(by: .seconds(3))
    let unrequested = recorder.events.count
    recorder.request(.max(1))
    scheduler.advance()

    #expect([first, unrequested] == [1, 1])
    #expect(recorder.values.count == 1)
    #expect(recorder.completions == [.finished])
    #expect(scheduler.pending == 0)
  }

  @Test("`refCount` connects at its first subscriber, and a return in time prevents the disconnection")
  func refCount() {
    let scheduler = VirtualScheduler.virtual
    let counted = script.multicast { PassthroughSubject() }
      .refCount(disconnectAfter: .seconds(5), scheduler: scheduler)
    counted.record().cancel()
    let waiting = scheduler.pending
    let second = counted.record()

    #expect([waiting, scheduler.pending] == [1, 0])
    scheduler.advance(by: .seconds(9))
    #expect(script.sessions.count == 1 && script.cancellations == 0)
    second.cancel()
    scheduler.advance(by: .seconds(5))
    #expect(script.cancellations == 1)
  }
}

@Suite("Children in a queue", .leavesNothing)
struct QueuedChildrenTests {
  private let script = Script(Int.self, failure: Problem.self)
  private let children = (0..<3).map { _ in Script(Int.self, failure: Problem.self) }

  @Test("Operators with a queue of their own request everything from upstream if nothing else is said")
  func demands() {
    let children = children
    let recorders = [
      script.flatMap(maxConcurrent: 1) { children[$0] }.record(),
      script.concatMap { children[$0] }.record(),
      script.flatMapDelayingErrors(maxConcurrent: 1) { children[$0] }.record(),
      script.flatMapFirst { children[$0] }.record(), script.exhaustMap { children[$0] }.record(),
    ]
    let bounded = script.flatMap(maxConcurrent: 2, waiting: .max(3)) { children[$0] }.record()

    let expected: [[Subscribers.Demand]] = Array(repeating: [.unlimited], count: 5) + [[.max(5)]]
    #expect(script.sessions.map { $0.subscription.demands } == expected)
    withExtendedLifetime((recorders, bounded)) {}
  }

  @Test("An open child is asked for one value, and for everything once everything is requested")
  func unlimited() {
    let children = children
    let recorder = script.flatMap(maxConcurrent: 2) { children[$0] }.record(demand: .max(1))
    script.say(0)
    let before = children[0].demands
    recorder.request(.unlimited)
    script.say(1)

    #expect(before == [.max(1)])
    #expect(children[0].demands == [.max(1), .unlimited])
    #expect(children[1].demands == [.unlimited])
  }

  @Test("The value of a child that has ended waits for demand, and so does the completion")
  func kept() {
    let children = children
    let recorder = script.flatMap(maxConcurrent: 2) { children[$0] }.record(demand: .none)
    script.say(0)
    children[0].say(7)
    children[0].end()
    script.end()
    let before = recorder.events
    recorder.request(.max(1))

    #expect(before == [.subscription])
    #expect(recorder.events == [.subscription, .value(7), .completion(.finished)])
  }

  @Test("The first failure of several children ends a stream that delays errors, after the last child")
  func firstFailure() {
    let children = children
    let recorder = script.flatMapDelayingErrors { children[$0] }.record()
    for number in 0..<3 { script.say(number) }
    children[1].end(.failure(Problem(code: 1)))
    children[0].end(.failure(Problem(code: 2)))
    script.end()
    children[2].say(5)
    let before = recorder.completions
    children[2].end()

    #expect(before.isEmpty)
    #expect(recorder.events == [.subscription, .value(5), .completion(.failure(Problem(code: 1)))])
  }

  @Test("`flatMapBatches` traps on batches of none, and takes the last ones as they are")
  func batches() async {
    await #expect(processExitsWith: .failure) { _ = [Just(1)].flatMapBatches(of: 0) }

    let five = (1...5).map { Just($0) }
    #expect(five.flatMapBatches(of: 1).record().values == [[1], [2], [3], [4], [5]])
    #expect(five.flatMapBatches(of: 2).record().values == [[1, 2], [3, 4], [5]])
    #expect(five.flatMapBatches(of: 9).record().values == [[1, 2, 3, 4, 5]])
  }

  @Test("Fallbacks of `catch` are not used by a stream that finishes")
  func fallbacks() {
    let fine = Record<Int, Problem>(output: [1], completion: .finished)
    let failing = Record<Int, Problem>(output: [1], completion: .failure(Problem(code: 1)))

    #expect(fine.catch([fine, fine]).record().events == fine.record().events)
    #expect(failing.catch([failing, fine, fine]).record().values == [1, 1, 1])
    #expect(
      failing.ignoreFailure(setFailureType: TestFailure.self).record().completions == [.finished])
    #expect(
      failing.ignoreFailure(setFailureType: TestFailure.self, completeImmediately: false).record()
        .completions.isEmpty)
  }
}
