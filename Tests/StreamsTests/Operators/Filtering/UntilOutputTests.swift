import Streams
import StreamsTesting
import Testing

@Suite("`drop(untilOutputFrom:)`", .leavesNothing)
struct DropUntilOutputTests {
  @Test("`drop(untilOutputFrom:)` drops values until the other publisher sends its first")
  func opens() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.drop(untilOutputFrom: other).record()

    script.say(1)
    other.say(0)
    script.say(2, 3)

    #expect(recorder.values == [2, 3])
    #expect(other.asks == [.request(.max(1)), .cancel])
  }

  @Test("`drop(untilOutputFrom:)` does not replace the demand for dropped values")
  func demand() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.drop(untilOutputFrom: other).record(demand: .max(2))

    let answers = [script.say(1), script.say(2)]
    other.say(0)

    #expect(answers == [.none, .none])
    #expect(script.demands == [.max(2)])
    #expect(recorder.values.isEmpty)
  }

  @Test("`drop(untilOutputFrom:)` ends with the other publisher if that has sent nothing")
  func endsWithTheOther() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Problem.self) }
    let finishing = scripts[0].drop(untilOutputFrom: scripts[1]).record(demand: .none)
    let failing = scripts[2].drop(untilOutputFrom: scripts[3]).record(demand: .none)

    scripts[1].end()
    scripts[3].end(.failure(Problem(code: 1)))

    #expect(finishing.completions == [.finished])
    #expect(failing.completions == [.failure(Problem(code: 1))])
    #expect(scripts[0].cancellations == 1)
    #expect(scripts[2].cancellations == 1)
  }

  @Test("`drop(untilOutputFrom:)` ignores the other publisher's completion after its value")
  func opened() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.drop(untilOutputFrom: other).record()

    other.say(0)
    other.end(.failure(Problem(code: 1)))
    script.say(1)
    script.end()

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`drop(untilOutputFrom:)` cancels the other publisher at completion, and both at cancellation")
  func cancels() {
    let scripts = (0..<4).map { _ in Script(Int.self, failure: Problem.self) }
    let ended = scripts[0].drop(untilOutputFrom: scripts[1]).record()
    let cancelled = scripts[2].drop(untilOutputFrom: scripts[3]).record()

    scripts[0].end()
    cancelled.cancel()

    #expect(ended.completions == [.finished])
    #expect(scripts.map(\.cancellations) == [0, 1, 1, 1])
  }

  @Test("`drop(untilOutputFrom:)` forwards everything if the other publisher sends synchronously")
  func atOnce() {
    let recorder = [1, 2].publisher.drop(untilOutputFrom: Just(0)).record()

    #expect(recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("`drop(untilOutputFrom:)` accepts a request of zero at any time")
  func nothing() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    script.handsOverAtOnce = false
    let recorder = script.drop(untilOutputFrom: other).record(demand: .max(10))

    recorder.request(.max(4))
    recorder.request(.none)
    script.session?.handOver(script.session!.subscription)
    recorder.request(.none)

    #expect(script.demands == [.max(14)])
  }
}

@Suite("`prefix(untilOutputFrom:)`", .leavesNothing)
struct PrefixUntilOutputTests {
  @Test("`prefix(untilOutputFrom:)` cancels upstream and finishes when the other publisher sends")
  func closes() {
    let journal = Journal()
    let script = Script(Int.self, failure: Problem.self, journal: journal)
    let other = Script(String.self, failure: Never.self, name: "other", journal: journal)
    let recorder = script.prefix(untilOutputFrom: other).record { $0.journal = journal }

    script.say(1)
    other.say("stop")
    script.say(2)

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
    #expect(journal.has("other: subscribe", before: "upstream: subscribe"))
    #expect(journal.has("other: cancel", before: "upstream: cancel"))
    #expect(journal.has("upstream: cancel", before: "downstream: finished"))
    #expect(other.asks == [.request(.max(1)), .cancel])
  }

  @Test("`prefix(untilOutputFrom:)` ignores the other publisher's completion", arguments: [false, true])
  func otherEnds(_ fails: Bool) {
    let (script, other) = (Script(Int.self, failure: Never.self), Script(Int.self, failure: Problem.self))
    let recorder = script.prefix(untilOutputFrom: other).record()

    other.end(fails ? .failure(Problem(code: 1)) : .finished)
    script.say(1)
    script.end()

    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`prefix(untilOutputFrom:)` does not subscribe upstream if the other publisher sends synchronously")
  func atOnce() {
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.prefix(untilOutputFrom: Just(0)).record()

    #expect(recorder.events == [.subscription, .completion(.finished)])
    #expect(script.asks == [])
  }

  @Test("`prefix(untilOutputFrom:)` forwards demand unchanged")
  func demand() {
    let (script, other) = (Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self))
    let recorder = script.prefix(untilOutputFrom: other).record(demand: .max(2)) {
      $0.answer = { _ in .max(3) }
    }

    let answer = script.say(1)

    #expect(script.demands == [.max(2)])
    #expect(answer == .max(3))
    #expect(recorder.values == [1])
  }
}
