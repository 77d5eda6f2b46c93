import Streams
import StreamsTesting
import Testing

@Suite("`Script`")
struct ScriptTests {
  @Test("A script records requests and cancellations in order")
  func asks() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.record(demand: .max(2))

    recorder.request(.max(1))
    recorder.cancel()
    recorder.cancel()

    #expect(script.asks == [.request(.max(2)), .request(.max(1)), .cancel, .cancel])
    #expect(script.demands == [.max(2), .max(1)])
    #expect(script.cancellations == 2)
  }

  @Test("A script can send events that break the contract")
  func hostility() {
    let script = Script(Int.self, failure: Never.self)
    script.handsOverAtOnce = false
    let recorder = script.record(demand: .none)

    script.say(1)
    script.session.map { $0.handOver($0.subscription) }
    script.end()
    script.end()

    #expect(recorder.events == [.value(1), .subscription, .completion(.finished), .completion(.finished)])
  }

  @Test("A script has a separate session for each subscriber")
  func sessions() {
    let script = Script(Int.self, failure: Never.self)
    let (first, second) = (script.record(demand: .max(1)), script.record(demand: .max(5)))

    script.sessions[0].say(1)
    script.say(2)
    first.cancel()

    #expect(first.values == [1])
    #expect(second.values == [2])
    #expect(script.sessions.map(\.isOver) == [true, false])
    #expect(script.sessions.map(\.outstanding) == [.none, .max(4)])
    #expect(script.demands == [.max(5)])
  }

  @Test("A script counts outstanding demand from requests, returned demand and sent values")
  func outstanding() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>(demand: .max(1), answering: .max(1))

    script.subscribe(recorder)
    let before = script.session?.outstanding
    script.say(1)
    let after = script.session?.outstanding
    recorder.request(.unlimited)

    #expect(before == .max(1))
    #expect(after == .max(1))
    #expect(script.session?.outstanding == .unlimited)
  }

  @Test("A script can send values from within `onRequest`")
  func speaksWhenAsked() {
    let script = Script(Int.self, failure: Never.self)
    script.onRequest = { session, demand in for value in 0..<(demand.max ?? 0) { session.say(value) } }

    let recorder = script.record(demand: .max(3))

    #expect(recorder.values == [0, 1, 2])
  }

  @Test("A script calls `onCancel` when it is cancelled")
  func tellsOfCancellation() {
    var cancelled = 0
    let script = Script(Int.self, failure: Never.self)
    script.onCancel = { _ in cancelled += 1 }

    script.record().cancel()

    #expect(cancelled == 1)
  }

  @Test("A script retains its subscribers until `forget` is called")
  func keeps() {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    lifetimes.track(script.record(), as: "recorder").forget()
    lifetimes.track(script.record(), as: "another").forget()
    let before = lifetimes.living

    for session in script.sessions { session.subscription.cancel() }
    let cancelled = lifetimes.living
    script.forget()

    #expect(before == ["recorder", "another"])
    #expect(cancelled == before)
    #expect(lifetimes.living.isEmpty)
  }

  @Test(
    "A script that keeps no subscribers sends nothing after the end or a cancellation",
    arguments: [true, false])
  func forgets(_ cancels: Bool) {
    let script = Script(Int.self, failure: Never.self)
    script.keepsSubscribers = false
    // Not a recorder: that ignores what comes after the end.
    let journal = Journal()
    script.subscribe(
      AnySubscriber(
        receiveValue: { value in
          journal.note("\(value)")
          return .none
        }, receiveCompletion: { _ in journal.note("finished") }))

    script.say(1)
    if cancels { script.session?.subscription.cancel() } else { script.end() }
    script.say(2)
    script.end()

    #expect(journal.lines == (cancels ? ["1"] : ["1", "finished"]))
  }

  @Test("A script and a recorder share a journal that orders their events")
  func journal() {
    let journal = Journal()
    let script = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = script.record(demand: .max(1)) { $0.journal = journal }

    script.say(3)
    recorder.cancel()
    script.end()

    #expect(
      journal.lines == [
        "upstream: subscribe", "downstream: subscription", "upstream: request max(1)", "downstream: value 3",
        "upstream: cancel", "downstream: finished",
      ])
    #expect(journal.has("upstream: cancel", before: "downstream: finished"))
    #expect(!journal.has("downstream: finished", before: "upstream: cancel"))
    #expect(!journal.has("downstream: finished", before: "never said"))
  }
}
