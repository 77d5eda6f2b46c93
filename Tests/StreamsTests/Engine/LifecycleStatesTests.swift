import Streams
import StreamsTesting
import Testing

@Suite("Lifecycle states", .leavesNothing)
struct LifecycleStatesTests {
  @Test("A lifecycle is open from the attachment of upstream to its end, and closed at the end of the stream")
  func states() {
    let lifecycle = LifecycleState()
    var seen: [String] = []
    func look() { seen.append("\(lifecycle.isOpen) \(lifecycle.isClosed) \(lifecycle.status)") }

    look()
    _ = lifecycle.attach()
    look()
    _ = lifecycle.enter()
    look()
    _ = lifecycle.detach()
    look()
    _ = lifecycle.close()
    look()
    _ = lifecycle.leave()
    look()

    #expect(
      seen == [
        "false false awaitingSubscription", "true false subscribed", "true false subscribed",
        "false false subscribed", "false true terminal", "false true terminal",
      ])
  }

  @Test("Upstream ends once, and only between its attachment and the end of the stream")
  func detaches() {
    let early = LifecycleState()
    let open = LifecycleState()
    let closed = LifecycleState()

    let before = early.detach()
    _ = open.attach()
    let first = open.detach()
    let second = open.detach()
    _ = closed.attach()
    _ = closed.close()
    let late = closed.detach()

    #expect(!before)
    #expect(first)
    #expect(!second)
    #expect(!late)
  }

  @Test("The last one to leave cleans up, though upstream has never arrived", arguments: [false, true])
  func neverAttached(_ isClaimed: Bool) {
    let lifecycle = LifecycleState()

    if isClaimed { _ = lifecycle.enterClaiming() } else { _ = lifecycle.enterEarly() }
    let isFirst = lifecycle.close(for: Owner())
    let isLast = lifecycle.leave()
    _ = lifecycle.enterEarly()
    let isLastAgain = lifecycle.leave()

    #expect(isFirst)
    #expect(isLast)
    #expect(!isLastAgain)
  }

  @Test("The place of upstream is claimed once, and not after the end")
  func claims() {
    let inside = LifecycleState()
    let entering = LifecycleState()
    let closed = LifecycleState()

    let claimed = [inside.claim(), inside.claim(), inside.enterClaiming()]
    let entered = [entering.enterClaiming(), entering.enterClaiming(), entering.claim()]
    _ = closed.close(for: Owner())
    let late = [closed.claim(), closed.enterClaiming()]
    let left = [entering.leave(), entering.leave()]
    let isOpen = entering.isOpen

    #expect(claimed == [true, false, false])
    #expect(entered == [true, false, false])
    #expect(late == [false, false])
    #expect(left == [false, false])
    #expect(!isOpen)
  }

  @Test("A lifecycle counts as attached once a claimed upstream is")
  func attaches() {
    let lifecycle = LifecycleState()

    _ = lifecycle.enterClaiming()
    let early = lifecycle.isAttached
    let isAttached = lifecycle.attach(under: nil)
    let late = lifecycle.isAttached
    let isLast = lifecycle.leave()
    let isOpen = lifecycle.isOpen

    #expect(!early)
    #expect(isAttached)
    #expect(late)
    #expect(!isLast)
    #expect(isOpen)
  }

  @Test("An object that is no gate counts as none")
  func foreignGate() {
    let owner = Owner()

    owner.attach(under: SubscriptionRecorder())
    let (gate, isCovered) = (owner.lifecycle.deliveringGate, owner.lifecycle.isCovered)
    owner.cancel()

    #expect(gate == nil)
    #expect(!isCovered)
    #expect(owner.events == ["cancel", "release"])
  }

  @Test(
    "A cancellation cancels upstream only while that is attached and has not ended", arguments: [false, true])
  func cancelsUpstream(_ hasGate: Bool) {
    let owners = (0..<4).map { _ in Owner() }

    owners[0].cancel()
    for owner in owners[1...] { owner.attach(under: hasGate ? SerialGate() : nil) }
    for _ in 0..<2 { owners[1].cancel() }
    _ = owners[2].lifecycle.detach()
    owners[2].cancel()
    _ = owners[3].lifecycle.enter()
    owners[3].cancel()
    let inside = owners[3].events
    owners[3].leave()

    #expect(owners[0].events == ["release"])
    #expect(owners[1].events == ["cancel", "release"])
    #expect(owners[2].events == ["release"])
    #expect(inside == ["cancel"])
    #expect(owners[3].events == ["cancel", "release"])
  }

  @Test("A caller is alone if no other is inside the operator, and no thread inside its gate")
  func alone() {
    let (free, gated, gate) = (Owner(), Owner(), SerialGate())
    free.attach(under: nil)
    gated.attach(under: gate)

    var seen: [[Bool]] = []
    for owner in [free, gated] {
      var answers: [Bool] = []
      _ = owner.lifecycle.enter()
      answers.append(owner.lifecycle.isAlone)
      gate.enclose { answers.append(owner.lifecycle.isAlone) }
      _ = owner.lifecycle.enter()
      answers.append(owner.lifecycle.isAlone)
      for _ in 0..<2 { owner.leave() }
      seen.append(answers)
    }

    #expect(seen == [[true, true, false], [true, false, false]])
  }

  @Test("A lifecycle names its gate and its state, and releases the gate with itself")
  func names() {
    let leaked = Lifetimes.leaks { lifetimes in
      let (gate, owner) = (lifetimes.track(SerialGate(), as: "gate"), Owner())
      let early = owner.lifecycle.status
      owner.attach(under: gate)
      let (late, named) = (owner.lifecycle.status, owner.lifecycle.deliveringGate)

      #expect(early == "awaitingSubscription")
      #expect(late == "subscribed")
      #expect(named === gate)
    }

    #expect(leaked.isEmpty)
  }
}

/// What an operator does with its lifecycle, by one thread.
private final class Owner: LifecycleOwner {
  let lifecycle = LifecycleState()
  private(set) var events: [String] = []

  func attach(under gate: AnyObject?) {
    _ = lifecycle.enterClaiming()
    _ = lifecycle.attach(under: gate)
    leave()
  }

  func cancel() {
    if lifecycle.cancel(for: self, { events.append("cancel") }) { events.append("release") }
  }

  func leave() {
    if lifecycle.leave() { events.append("release") }
  }
}
