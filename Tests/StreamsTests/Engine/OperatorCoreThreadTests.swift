import Streams
import StreamsTesting
import Testing

@Suite("`OperatorCore`: threads", .leavesNothing)
struct OperatorCoreThreadTests {
  private typealias Source = Script<Int, Problem>

  @Test("Another thread's value, request and emission wait for the delivery under way, in order")
  func busy() {
    let stand = CoreStand(demand: .max(2))
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    stand.join(first)
    stand.join(second)
    let (core, recorder) = (stand.core, stand.recorder)
    stand.onValue = { value in
      guard value == 1 else { return }
      elsewhere {
        second.say(2)
        core.emitFromOutside(3)
        recorder.request(.max(1))
        second.end()
      }
    }

    first.say(1)
    waitForDeliveries()

    #expect(
      stand.lines == ["value 1", "taken 1", "value 2", "taken 2", "value 3", "taken 3", "b ended"])
  }

  @Test("A nested value waits behind another thread's value that is queued")
  func mailFirst() {
    let stand = CoreStand()
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    stand.join(first)
    stand.join(second)
    stand.onValue = { value in
      guard value == 1 else { return }
      elsewhere { second.say(2) }
      first.say(3)
      first.end()
    }

    first.say(1)

    #expect(
      stand.lines == ["value 1", "taken 1", "value 2", "taken 2", "value 3", "taken 3", "a ended"])
  }

  @Test("Demand that is added for a queued value is requested of its upstream")
  func queuedDemand() {
    let stand = CoreStand(demand: .max(2))
    stand.recorder.answer = { $0 == 2 ? .max(2) : .none }
    let (primary, other) = (Source(name: "a"), Source(name: "b"))
    stand.lead(primary)
    stand.join(other)
    let answers = Journal()
    stand.onValue = { value in
      if value == 1 { elsewhere { answers.note("\(primary.say(2))") } }
    }

    other.say(1)

    #expect(answers.lines == ["max(0)"])
    #expect(primary.demands == [.max(2), .max(1)])
    #expect(stand.values == [1, 2])
  }

  @Test("A queued value for which no demand is added leads to no request")
  func noQueuedDemand() {
    let stand = CoreStand(demand: .max(2))
    let (primary, other) = (Source(name: "a"), Source(name: "b"))
    stand.lead(primary)
    stand.join(other)
    stand.onValue = { value in
      if value == 1 { elsewhere { primary.say(2) } }
    }

    other.say(1)

    #expect(primary.demands == [.max(2)])
  }

  @Test("Queued signals of an upstream that is cancelled meanwhile are ignored")
  func cancelledMeanwhile() {
    let stand = CoreStand()
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    let handle = UpstreamHandle(requesting: .unlimited)
    stand.join(first)
    stand.join(second, handle)
    stand.onValue = { [unowned stand] value in
      guard value == 1 else { return }
      elsewhere {
        second.say(2)
        second.end()
      }
      stand.core.cancel(handle)
    }

    first.say(1)
    first.say(3)
    waitForDeliveries()

    #expect(stand.lines == ["value 1", "taken 1", "value 3", "taken 3"])
  }

  @Test("A queued value of an upstream that has ended since is delivered")
  func endedMeanwhile() {
    let stand = CoreStand()
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    stand.join(first)
    stand.join(second)
    stand.onValue = { value in
      guard value == 1 else { return }
      elsewhere {
        second.say(2)
        second.end()
        second.say(3)
      }
    }

    first.say(1)

    #expect(stand.lines == ["value 1", "taken 1", "value 2", "taken 2", "b ended"])
  }

  @Test("A queued completion is ignored once it is decided how the stream ends", arguments: [false, true])
  func endingMeanwhile(_ isOver: Bool) {
    let stand = CoreStand(demand: .max(1))
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    stand.join(first)
    stand.join(second)
    stand.onValue = { [unowned stand] value in
      guard value == 1 else { return }
      elsewhere { second.end() }
      if !isOver { stand.core.emit(2) }
      stand.core.finish(.finished)
    }

    first.say(1)
    stand.recorder.request(.max(1))

    #expect(!stand.lines.contains("b ended"))
    #expect(stand.recorder.completions == [.finished])
    #expect(stand.values == (isOver ? [1] : [1, 2]))
  }

  @Test("A subscription that another thread hands over during a delivery is opened after it")
  func opensLater() {
    let stand = CoreStand()
    let (first, second) = (Source(name: "a"), Source(name: "b"))
    second.handsOverAtOnce = false
    stand.join(first)
    stand.join(second)
    let asks = Journal()
    stand.onValue = { _ in
      elsewhere { second.session?.handOver(second.session!.subscription) }
      asks.note("\(second.asks.count)")
    }

    first.say(1)

    #expect(asks.lines == ["0"])
    #expect(second.asks == [.request(.unlimited)])
  }

  @Test("A late or second subscription is cancelled, and requests nothing")
  func refuses() {
    let stand = CoreStand()
    let (source, late) = (Source(name: "a"), Source(name: "b"))
    let surplus = SubscriptionRecorder()
    late.handsOverAtOnce = false
    stand.join(source)
    stand.join(late)

    source.session?.handOver(surplus)
    stand.recorder.cancel()
    late.session?.handOver(late.session!.subscription)

    #expect(surplus.asks == [.cancel])
    #expect(late.asks == [.cancel])
    #expect(source.asks == [.request(.unlimited), .cancel])
  }

  @Test("An action runs at once, or its substitute after the delivery of another thread")
  func substitutes() {
    let stand = CoreStand()
    let (core, journal) = (stand.core, stand.journal)
    let perform: @Sendable (String) -> Void = { name in
      core.perform({ journal.note(name) }, ifBusy: { journal.note("instead of \(name)") })
    }
    stand.onValue = { value in
      guard value == 1 else { return }
      perform("nested")
      elsewhere { perform("elsewhere") }
      perform("behind it")
    }

    perform("outside")
    stand.emit(1)

    #expect(
      stand.lines == [
        "outside", "value 1", "nested", "taken 1", "instead of elsewhere", "instead of behind it",
      ])
    #expect(entersFromElsewhere(stand))
  }

  @Test("An action in another job runs when that does, and in a later one while a thread is inside")
  func anotherJob() {
    let stand = CoreStand()
    let (scheduler, core, journal) = (VirtualScheduler.virtual, stand.core, stand.journal)
    stand.onValue = { value in
      if value == 1 { elsewhere { scheduler.advance() } }
    }

    core.performInAnotherJob(of: scheduler, nil) { journal.note("action") }
    waitForDeliveries()
    stand.emit(1)
    waitForDeliveries()
    let early = stand.lines
    scheduler.advance()

    #expect(early == ["value 1", "taken 1"])
    #expect(stand.lines == ["value 1", "taken 1", "action"])
  }

  @Test("A mirror of a core leaves it free, and shows nothing to a thread that would have to wait")
  func mirrors() {
    let stand = CoreStand()
    let (core, shown) = (stand.core, Journal())
    let look: @Sendable (String) -> Void = { shown.note("\($0): \(core.reflectedChildren.count)") }
    stand.onValue = { _ in
      look("nested")
      elsewhere { look("busy") }
    }

    look("empty")
    core.reflect = { _ in [("part", 1)] }
    look("outside")
    elsewhere { look("elsewhere") }
    stand.emit(1)

    #expect(shown.lines == ["empty: 0", "outside: 1", "elsewhere: 1", "nested: 1", "busy: 0"])
  }

  private func entersFromElsewhere(_ stand: CoreStand) -> Bool {
    let before = stand.lines.count
    let (core, journal) = (stand.core, stand.journal)
    elsewhere { core.perform { journal.note("last") } }
    return stand.lines.count == before + 1
  }
}
