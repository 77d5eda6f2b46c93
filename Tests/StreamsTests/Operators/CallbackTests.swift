import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Operators: callbacks inside closures and cancellations", .leavesNothing)
struct CallbackTests {
  private typealias Source = Script<Int, Problem>

  @Test("`last(where:)` keeps a match that its predicate sends while it looks at a value that does not match")
  func lastInside() {
    let source = Source()
    let recorder = source.last { value in
      if value == 1 { source.say(2) }
      return value == 2
    }.record()

    source.say(1)
    source.end()

    #expect(recorder.events == [.subscription, .value(2), .completion(.finished)])
  }

  @Test("`max(by:)` keeps a greater value that its closure sends while it compares a smaller one")
  func maxInside() {
    let source = Source()
    let recorder = source.max { kept, value in
      if value == 1 { source.say(5) }
      return kept < value
    }.record()

    source.say(3, 1)
    source.end()

    #expect(recorder.values == [5])
  }

  @Test(
    "A result that is known before it is requested is not changed by the call that led to it",
    arguments: [false, true])
  func knownInside(_ isEarly: Bool) {
    let sources = (0..<3).map { _ in Source() }
    let demand = isEarly ? Subscribers.Demand.max(1) : .none
    let found = sources[0].contains { value in
      if value == 1 { sources[0].say(2) }
      return value == 2
    }.record(demand: demand)
    let refuted = sources[1].allSatisfy { value in
      if value == 1 { sources[1].say(2) }
      return value != 2
    }.record(demand: demand)
    let first = sources[2].first { value in
      if value == 1 { sources[2].say(2) }
      return value == 2
    }.record(demand: demand)

    for source in sources { source.say(1) }
    if !isEarly {
      for recorder in [found, refuted] { recorder.request(.max(1)) }
      first.request(.max(1))
    }

    #expect(found.values == [true])
    #expect(refuted.values == [false])
    #expect(first.values == [2])
  }

  @Test(
    "A closure that throws after the result is known does not take the result away", arguments: [false, true])
  func throwsInside(_ isEarly: Bool) {
    let (known, ended) = (Source(), Source())
    let demand = isEarly ? Subscribers.Demand.max(1) : .none
    let first = known.tryFirst { value in
      guard value == 1 else { return true }
      known.say(2)
      throw Problem(code: 1)
    }.record(demand: demand)
    let all = ended.tryAllSatisfy { _ in
      ended.end()
      throw Problem(code: 1)
    }.record(demand: demand)

    known.say(1)
    ended.say(1)
    first.request(.max(1))
    all.request(.max(1))

    #expect(first.values == [2])
    #expect(first.completions.count == 1)
    #expect(all.values == [true])
    #expect(all.completions.count == 1)
  }

  @Test("`drop(untilOutputFrom:)` passes on what the cancellation of the other publisher sends")
  func dropUntil() {
    let (source, other) = (Source(), Source())
    other.onCancel = { _ in source.say(1) }
    let recorder = source.drop(untilOutputFrom: other).record()

    other.say(0)

    #expect(recorder.values == [1])
  }

  @Test(
    "`prefix(untilOutputFrom:)` passes nothing on that the cancellation of the other publisher sends",
    arguments: [false, true])
  func prefixUntil(_ fails: Bool) {
    let (source, other) = (Source(), Source())
    other.onCancel = { _ in
      if fails { source.end(.failure(Problem(code: 1))) } else { source.say(1) }
    }
    let recorder = source.prefix(untilOutputFrom: other).record()

    other.say(0)

    #expect(recorder.events == [.subscription, .completion(.finished)])
  }

  @Test(
    "A stage that ends early delivers no more if the cancellation of its upstream cancels it (law C08)",
    arguments: 0...3)
  func cancelsInside(_ way: Int) {
    let source = Source()
    let recorder = Recorder<Int, any Error>()
    source.onCancel = { [unowned recorder] _ in recorder.cancel() }
    switch way {
    case 0: source.mapError { $0 as any Error }.prefix(1).subscribe(recorder)
    case 1: source.mapError { $0 as any Error }.prefix { _ in false }.subscribe(recorder)
    case 2: source.tryMap { _ -> Int in throw Problem(code: 1) }.subscribe(recorder)
    default: source.tryReduce(0) { _, _ in throw Problem(code: 1) }.subscribe(recorder)
    }

    source.say(1)

    #expect(recorder.values == (way == 0 ? [1] : []))  // the last value comes before the cancellation
    #expect(recorder.completions.isEmpty)
    #expect(source.cancellations == 1)
  }

  @Test("`prefix(0)` finishes, whatever the cancellation of its upstream sends (law H27)")
  func cancelledOnArrival() {
    let source = Source()
    source.onCancel = { $0.end(.failure(Problem(code: 1))) }

    #expect(source.prefix(0).record().events == [.subscription, .completion(.finished)])
  }

  @Test(
    "`doFinally` and `window` are told of a cancellation during which an upstream sends",
    arguments: [false, true])
  func toldOfCancellation(_ isWindow: Bool) {
    let (source, signal) = (Source(), Source())
    for script in [source, signal] { script.onCancel = { _ in source.say(2) } }
    let windows = CancelBag()
    var told = 0
    let sink =
      if isWindow {
        source.window(by: signal).sink { _ in
        } receiveValue: {
          $0.sink { _ in
            told += 1
          } receiveValue: { _ in
          }.store(in: windows)
        }
      } else {
        source.doFinally { _ in told += 1 }.sink { _ in
        } receiveValue: { _ in
        }
      }

    source.say(1)
    sink.cancel()

    #expect(told == 1)
    windows.cancel()
  }

  @Test("`catch` does not subscribe to the replacement if its handler cancels the stream (difference 19)")
  func catchCancelled() {
    let (first, second) = (Source(), Script(Int.self, failure: Never.self))
    let recorder = Recorder<Int, Never>()
    first.catch { [unowned recorder] _ in
      recorder.cancel()
      return second
    }.subscribe(recorder)

    first.end(.failure(Problem(code: 1)))

    #expect(recorder.events == [.subscription])
    #expect(second.sessions.isEmpty)
  }

  @Test("`collect(.byTime)` that fails releases its values where their deinits may request")
  func farewells() async {
    await #expect(processExitsWith: .success) { CallbackTests.collectFarewells() }
  }

  private final class Farewell {
    private let onGoing: () -> Void

    init(_ onGoing: @escaping () -> Void) { self.onGoing = onGoing }

    deinit { onGoing() }
  }

  private static func collectFarewells() {
    let scheduler = VirtualScheduler.virtual
    let source = Script(Farewell.self, failure: Problem.self)
    let recorder = source.collect(.byTime(scheduler, .seconds(1))).record(demand: .max(1))

    source.say(Farewell { [unowned recorder] in recorder.request(.max(1)) })
    source.end(.failure(Problem(code: 1)))
    scheduler.advance(by: .seconds(1))

    precondition(recorder.values.isEmpty)
    precondition(recorder.completions == [.failure(Problem(code: 1))])
  }
}
