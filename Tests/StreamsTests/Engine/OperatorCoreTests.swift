import Streams
import StreamsTesting
import Testing

@Suite("`OperatorCore`: values and demand", .leavesNothing)
struct OperatorCoreTests {
  @Test("`OperatorCore` keeps values without demand, and sends them in order as they are requested")
  func waits() {
    let stand = CoreStand(demand: .none)

    stand.emit(1, 2, 3)
    let early = stand.values
    stand.recorder.request(.max(1))
    let first = stand.values
    stand.recorder.request(.max(2))

    #expect(early.isEmpty)
    #expect(first == [1])
    #expect(stand.values == [1, 2, 3])
  }

  @Test("`OperatorCore` sends a value at once that is emitted inside a delivery, if it is requested")
  func nests() {
    let stand = CoreStand(demand: .max(2))
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.emit(1)

    #expect(stand.lines == ["value 1", "value 2", "taken 2", "taken 1"])
  }

  @Test("`OperatorCore` sends a value that is emitted while it drains after the value under way")
  func drains() {
    let stand = CoreStand(demand: .none)
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.emit(1)
    stand.recorder.request(.max(2))

    #expect(stand.lines == ["value 1", "taken 1", "value 2", "taken 2"])
  }

  @Test("`OperatorCore` sends waiting values one after another, though a delivery requests more")
  func drainsInTurn() {
    let stand = CoreStand(demand: .none)
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.recorder.request(.max(1)) }
    }

    stand.emit(1, 2)
    stand.recorder.request(.max(1))

    #expect(stand.lines == ["value 1", "taken 1", "value 2", "taken 2"])
  }

  @Test(
    "`OperatorCore` sends a value that arrived during a delivery once that delivery returns demand",
    arguments: [false, true])
  func makesRoom(_ isOffered: Bool) {
    let stand = CoreStand(demand: .max(1), answering: .max(1))
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.core.perform { [unowned stand] in
      if isOffered { stand.core.offer(1) } else { stand.core.emit(1) }
    }

    #expect(stand.lines == ["value 1", "taken 1", "value 2", "taken 2"])
  }

  @Test("A value emitted when downstream requests more does not overtake one that waits")
  func keepsItsPlace() {
    let stand = CoreStand(demand: .max(1), answering: .max(1))
    stand.core.onRequest { core, _ in
      if core.outstandingDemand == .max(1) { core.emit(3) }
    }
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.emit(1)

    #expect(stand.values.prefix(3) == [1, 2, 3])
  }

  @Test("`offer` sends a value only if it is requested and none waits, and drops it otherwise")
  func offers() {
    let stand = CoreStand(demand: .max(1), answering: .max(1))
    stand.core.onRequest { core, _ in core.offer(9) }
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.core.perform { [unowned stand] in stand.core.offer(1) }

    #expect(stand.values.prefix(2) == [1, 2])
  }

  @Test("`offer` drops a value without demand, inside a draining delivery, and after the end")
  func drops() {
    let stand = CoreStand(demand: .none)
    stand.onValue = { [unowned stand] _ in stand.core.offer(8) }

    stand.core.perform { [unowned stand] in stand.core.offer(7) }
    stand.emit(1)
    stand.recorder.request(.max(2))
    stand.core.perform { [unowned stand] in
      stand.core.finish(.finished)
      stand.core.offer(9)
      stand.core.emit(10)
    }

    #expect(stand.recorder.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test("`OperatorCore` adds returned demand to what it has, and spends one of it for each value")
  func counts() {
    let stand = CoreStand(demand: .max(2))
    stand.recorder.answer = { $0 == 1 ? .max(2) : .none }

    stand.emit(1, 2, 3, 4, 5)
    let left = stand.core.outstandingDemand
    stand.recorder.request(.max(3))

    #expect(stand.values == [1, 2, 3, 4, 5])
    #expect(left == .none)
    #expect(stand.core.outstandingDemand == .max(2))
  }

  @Test(
    "`OperatorCore` calls its request handler for each request and each returned demand, but not for none")
  func asks() {
    let stand = CoreStand(demand: .none)
    stand.recorder.answer = { $0 == 1 ? .max(3) : .none }
    stand.core.onRequest { [journal = stand.journal] _, more in journal.note("\(more)") }

    stand.recorder.request(.none)
    stand.recorder.request(.max(2))
    stand.emit(1, 2)
    stand.recorder.cancel()
    stand.recorder.request(.max(1))

    #expect(stand.lines == ["max(2)", "value 1", "taken 1", "max(3)", "value 2", "taken 2"])
  }

  @Test("`OperatorCore` does not call its request handler for demand returned by a delivery that cancelled")
  func asksNobody() {
    let stand = CoreStand(demand: .max(1), answering: .max(1))
    stand.core.onRequest { [journal = stand.journal] _, _ in journal.note("asked") }
    stand.onValue = { [unowned stand] _ in stand.recorder.cancel() }

    stand.emit(1, 2)

    #expect(stand.lines == ["value 1", "taken 1"])
  }

  @Test("An action for after the delivery runs when that has returned, and at once outside of any")
  func after() {
    let stand = CoreStand()
    stand.onValue = { [unowned stand] _ in
      stand.core.performAfterDelivery { [journal = stand.journal] in journal.note("after") }
    }

    stand.emit(1)
    stand.core.performAfterDelivery { [journal = stand.journal] in journal.note("at once") }

    #expect(stand.lines == ["value 1", "taken 1", "after", "at once"])
  }

  @Test("Steps that bounce run one after another, each when the one before has returned")
  func bounces() {
    let stand = CoreStand()
    let (core, journal) = (stand.core, stand.journal)
    func step(_ number: Int) {
      core.bounce {
        journal.note("begin \(number)")
        if number % 3 > 0 { step(number + 1) }
        journal.note("end \(number)")
      }
    }

    core.perform { step(1) }
    core.perform { step(4) }

    #expect(stand.lines == (1...6).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test("A step that cancels the stream is followed by no other, and what was to follow is released")
  func bouncesNoMore() {
    let stand = CoreStand()
    let core = stand.core
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("next step")
      core.perform { [journal = stand.journal] in
        core.bounce {
          core.bounce { journal.note(probe.name) }
          core.cancel()
        }
      }
    }

    #expect(stand.lines.isEmpty)
    #expect(leaked.isEmpty)
  }

  @Test("A value from outside is sent at once, inside a delivery too")
  func fromOutside() {
    let stand = CoreStand()
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emitFromOutside(2) }
    }

    stand.core.emitFromOutside(1)
    stand.core.emitFromOutside(3)

    #expect(stand.lines == ["value 1", "value 2", "taken 2", "taken 1", "value 3", "taken 3"])
  }
}

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
      let probes = ["end", "cancel", "request", "state", "value"].map { lifetimes.probe($0) }
      new.onEnd { _ = probes[0] }
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
}
