import Streams
import StreamsTesting
import Testing

@Suite("`OperatorCore`: the end", .leavesNothing)
struct OperatorCoreEndingTests {
  @Test("A completion without waiting values comes at once, and only the first")
  func ends() {
    let stand = CoreStand(demand: .none)

    stand.core.perform { [core = stand.core] in
      core.finish(.finished)
      core.finish(.failure(Problem(code: 1)))
    }

    #expect(stand.recorder.events == [.subscription, .completion(.finished)])
  }

  @Test("A completion waits for the values before it, and no later value or completion comes between")
  func waits() {
    let stand = CoreStand(demand: .none)

    stand.core.perform { [core = stand.core] in
      core.emit(1)
      core.emit(2)
      core.finish(.finished)
      core.emit(3)
      core.finish(.failure(Problem(code: 1)))
    }
    stand.recorder.request(.max(1))
    let early = stand.recorder.events
    stand.recorder.request(.max(5))

    #expect(early == [.subscription, .value(1)])
    #expect(stand.recorder.events == [.subscription, .value(1), .value(2), .completion(.finished)])
  }

  @Test("A completion that waits comes when the last value has been taken")
  func waitsForTheDelivery() {
    let stand = CoreStand(demand: .none)
    stand.onValue = { [unowned stand] _ in stand.core.finish(.finished) }
    stand.recorder.onCompletion = { [journal = stand.journal] _, _ in journal.note("end") }

    stand.emit(1)
    stand.recorder.request(.max(1))

    #expect(stand.lines == ["value 1", "taken 1", "end"])
  }

  @Test("A completion inside a delivery comes at once where no value waits")
  func endsInside() {
    let stand = CoreStand()
    stand.onValue = { [unowned stand] _ in stand.core.finish(.finished) }
    stand.recorder.onCompletion = { [journal = stand.journal] _, _ in journal.note("end") }

    stand.emit(1)

    #expect(stand.lines == ["value 1", "end", "taken 1"])
  }

  @Test("A failure discards waiting values, unless it is told to wait for them", arguments: [false, true])
  func fails(_ afterAll: Bool) {
    let stand = CoreStand(demand: .none)
    let failure = Subscribers.Completion.failure(Problem(code: 1))

    stand.core.perform { [core = stand.core] in
      core.emit(1)
      core.finish(failure, afterAll: afterAll)
    }
    let early = stand.recorder.completions
    stand.recorder.request(.max(1))

    #expect(early == (afterAll ? [] : [failure]))
    #expect(stand.values == (afterAll ? [1] : []))
    #expect(stand.recorder.completions == [failure])
  }

  @Test("Cancelling inside a draining delivery sends neither the rest nor the completion")
  func cancels() {
    let stand = CoreStand(demand: .none)
    stand.onValue = { [unowned stand] _ in stand.recorder.cancel() }

    stand.core.perform { [core = stand.core] in
      core.emit(1)
      core.finish(.finished)
    }
    stand.recorder.request(.unlimited)

    #expect(stand.recorder.events == [.subscription, .value(1)])
  }

  @Test(
    "All end handlers are called once, however the stream ends, and at once if it is over",
    arguments: [
      false, true,
    ])
  func endHandlers(_ isCancelled: Bool) {
    let stand = CoreStand()
    let (core, journal) = (stand.core, stand.journal)
    core.onEnd { journal.note("first") }
    core.onEnd { journal.note("second") }

    let early = journal.lines
    if isCancelled { core.cancel() } else { core.perform { core.finish(.finished) } }
    core.cancel()
    let ended = journal.lines
    core.onEnd { journal.note("late") }

    #expect(early.isEmpty)
    #expect(ended == ["first", "second"])
    #expect(journal.lines == ["first", "second", "late"])
  }

  @Test("All cancel handlers are called once, if the stream is cancelled, and at once if it is over")
  func cancelHandlers() {
    let (cancelled, ended) = (CoreStand(), CoreStand())
    for stand in [cancelled, ended] {
      stand.core.onCancel { [journal = stand.journal] in journal.note("first") }
      stand.core.onCancel { [journal = stand.journal] in journal.note("second") }
    }

    let early = cancelled.lines
    cancelled.core.cancel()
    ended.core.perform { [core = ended.core] in core.finish(.finished) }
    for stand in [cancelled, ended] {
      stand.core.cancel()
      stand.core.onCancel { [journal = stand.journal] in journal.note("late") }
    }

    #expect(early.isEmpty)
    #expect(cancelled.lines == ["first", "second", "late"])
    #expect(ended.lines == ["late"])
  }

  @Test(
    "A core that is kept after its end keeps no handler, no state and no downstream",
    arguments: [
      false, true,
    ])
  func releases(_ isCancelled: Bool) {
    var core: CoreStand.Core?
    let leaked = Lifetimes.leaks { lifetimes in
      let recorder = lifetimes.track(Recorder<Int, Problem>(demand: .none), as: "downstream")
      let new = CoreStand.Core("Test", to: recorder)
      core = new
      recorder.receive(subscription: new)
      let probes = ["end", "cancel", "request", "state"].map { lifetimes.probe($0) }
      new.onEnd { [probe = probes[0]] in _ = probe }
      new.onCancel { [probe = probes[1]] in _ = probe }
      new.onRequest { [probe = probes[2]] _, _ in _ = probe }
      new.state = probes[3]
      if isCancelled { new.cancel() } else { new.perform { new.finish(.finished) } }
      recorder.forget()
    }

    #expect(leaked.isEmpty)
    withExtendedLifetime(core) {}
  }

  @Test("An action does not run after the end, whether it comes from outside or from inside")
  func silent() {
    let stand = CoreStand()
    let (core, journal) = (stand.core, stand.journal)

    core.perform {
      core.finish(.finished)
      core.perform { journal.note("inside") }
      core.perform({ journal.note("inside") }, ifBusy: { journal.note("busy") })
    }
    core.perform { journal.note("outside") }
    core.perform({ journal.note("outside") }, ifBusy: { journal.note("busy") })
    core.performAfterDelivery { journal.note("after") }

    #expect(journal.lines.isEmpty)
  }

  @Test("A late subscription arrives with the first upstream's, once, or with the completion")
  func attachesLate() {
    let scripts = [Script(Int.self, failure: Problem.self), Script(Int.self, failure: Problem.self)]
    let (joined, ended) = (Recorder<Int, Problem>(), Recorder<Int, Problem>())
    for script in scripts { script.handsOverAtOnce = false }

    CoreStand.Core.start("Test", attachesLate: true, for: joined) { core in
      for script in scripts {
        core.subscribe(to: script, UpstreamHandle(requesting: .max(1))) { _ in
        } onCompletion: { _ in
        }
      }
    }
    CoreStand.Core.start("Test", attachesLate: true, for: ended) { core in core.finish(.finished) }
    let early = joined.events
    for script in scripts { if let session = script.session { session.handOver(session.subscription) } }

    #expect(early.isEmpty)
    #expect(joined.events == [.subscription])
    #expect(scripts.map(\.demands) == [[.max(1)], [.max(1)]])
    #expect(ended.events == [.subscription, .completion(.finished)])
  }

  @Test("`OperatorCore` is shown by its name or its own description, and shows its downstream until the end")
  func shows() {
    let stand = CoreStand()
    let name = "\(stand.core)"
    stand.core.describe = { "Another" }
    let early = stand.core.downstreamForMirror as? Recorder<Int, Problem>

    stand.recorder.cancel()

    #expect(name == "Test")
    #expect("\(stand.core)" == "Another")
    #expect(early === stand.recorder)
    #expect(stand.core.downstreamForMirror == nil)
  }
}
