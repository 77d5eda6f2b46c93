import Streams
import StreamsTesting
import Testing

@Suite("`handleEvents`", .leavesNothing)
struct HandleEventsTests {
  @Test("`handleEvents` calls each closure before it forwards the signal")
  func order() {
    let journal = Journal()
    let script = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = watched(script, journal).record(demand: .max(1)) { recorder in
      recorder.journal = journal
      recorder.answer = { .max($0) }
    }

    script.say(2)
    script.say(0)
    script.end()
    recorder.cancel()

    #expect(
      journal.lines.filter { $0 != "upstream: subscribe" } == [
        "saw subscription", "downstream: subscription", "saw request max(1)", "upstream: request max(1)",
        "saw value 2", "downstream: value 2", "saw request max(2)", "saw value 0", "downstream: value 0",
        "saw finished", "downstream: finished",
      ])
  }

  @Test("`handleEvents` reports a downstream cancellation once")
  func cancellations() {
    let journal = Journal()
    let script = Script(Int.self, failure: Never.self, journal: journal)
    let recorder = watched(script, journal).prefix { $0 < 2 }.record { $0.journal = journal }

    script.say(1, 2)
    recorder.cancel()

    #expect(
      journal.lines.suffix(4) == [
        "saw value 2", "saw cancel", "upstream: cancel", "downstream: finished",
      ])
  }

  @Test("`handleEvents` delivers nothing more if its closure cancels the stream")
  func cancelledByTheClosure() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = Recorder<Int, Never>()
    script.handleEvents(receiveOutput: { [unowned recorder] value in
      if value == 2 { recorder.cancel() }
    }).subscribe(recorder)

    script.say(1, 2, 3)

    #expect(recorder.events == [.subscription, .value(1)])
    #expect(script.cancellations == 1)
  }

  @Test("`handleEvents` releases its closures at completion or cancellation", arguments: [true, false])
  func releases(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    let recorder: Recorder<Int, Never>
    do {
      let probe = lifetimes.probe("closure")
      recorder = script.handleEvents(receiveOutput: { _ in withExtendedLifetime(probe) {} }).record()
    }
    let before = lifetimes.living

    if isCancelled { recorder.cancel() } else { script.end() }

    #expect(before == ["closure"])
    #expect(lifetimes.living.isEmpty)
  }

  @Test("`handleEvents` sends no completion if it is cancelled inside `receiveCompletion`")
  func cancelledAtTheEnd() {
    let script = Script(Int.self, failure: Never.self)
    let journal = Journal()
    let recorder = Recorder<Int, Never>()
    script.handleEvents(
      receiveCompletion: { _ in recorder.cancel() }, receiveCancel: { journal.note("saw cancel") }
    ).subscribe(recorder)

    script.end()

    #expect(recorder.completions.isEmpty)
    #expect(script.cancellations == 0)
    #expect(journal.lines.isEmpty)
  }

  @Test("`handleEvents` has Combine's name, and accepts a request of zero")
  func names() {
    let script = Script(Int.self, failure: Never.self)
    let recorder = script.handleEvents().record(demand: .none)

    recorder.request(.none)

    #expect("\(recorder.subscriptions[0])" == "HandleEvents")
    #expect(script.asks == [.request(.none)])
  }

  private func watched(
    _ script: Script<Int, Never>, _ journal: Journal
  ) -> Publishers.HandleEvents<Script<Int, Never>> {
    script.handleEvents(
      receiveSubscription: { _ in journal.note("saw subscription") },
      receiveOutput: { journal.note("saw value \($0)") },
      receiveCompletion: { journal.note("saw \($0)") },
      receiveCancel: { journal.note("saw cancel") },
      receiveRequest: { journal.note("saw request \($0)") })
  }
}
