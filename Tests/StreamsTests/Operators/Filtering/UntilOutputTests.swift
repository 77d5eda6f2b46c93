import Streams
import StreamsTesting
import Testing

@Suite("`drop(untilOutputFrom:)`", .leavesNothing)
struct DropUntilOutputTests {
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
}
