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
    let stand = CoreStand(demand: .max(1))
    stand.recorder.answer = { $0 == 1 ? .max(1) : .none }
    stand.core.onRequest { core, _ in
      if core.outstandingDemand == .max(1) { core.emit(3) }
    }
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.emit(1)
    let early = stand.values
    stand.recorder.request(.max(1))

    #expect(early == [1, 2])
    #expect(stand.values == [1, 2, 3])
  }

  @Test("`offer` sends a value only if it is requested and none waits, and drops it otherwise")
  func offers() {
    let stand = CoreStand(demand: .max(1), answering: .max(1))
    stand.core.onRequest { core, _ in core.offer(9) }
    stand.onValue = { [unowned stand] value in
      if value == 1 { stand.core.emit(2) }
    }

    stand.core.perform { [unowned stand] in stand.core.offer(1) }

    #expect(stand.values == [1, 2])
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

  @Test("`OperatorCore` with unlimited demand does not call its request handler for returned demand")
  func asksNoMore() {
    let stand = CoreStand(demand: .unlimited, answering: .max(1))
    stand.core.onRequest { [journal = stand.journal] _, _ in journal.note("asked") }

    stand.emit(1)

    #expect(stand.lines == ["value 1", "taken 1"])
    #expect(stand.core.outstandingDemand == .unlimited)
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
