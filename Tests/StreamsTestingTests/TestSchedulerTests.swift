import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`TestScheduler`")
struct TestSchedulerTests {
  let scheduler = VirtualScheduler.virtual

  @Test("A test scheduler runs no action before time advances")
  func standsStill() {
    var ran = false

    scheduler.schedule { ran = true }

    #expect(!ran)
    #expect(scheduler.pending == 1)
  }

  @Test("Advancing a test scheduler by nothing runs the actions that are due")
  func advancesByNothing() {
    var ran: [Int] = []
    scheduler.schedule { ran.append(1) }
    scheduler.schedule(after: VirtualTime(1)) { ran.append(2) }

    scheduler.advance()

    #expect(ran == [1])
    #expect(scheduler.now == VirtualTime(0))
  }

  @Test("A test scheduler runs actions by date, then in scheduling order, at their own time")
  func order() {
    var ran: [String] = []
    for (name, time) in [("c", 2.0), ("a", 1.0), ("d", 2.0), ("b", 1.5)] {
      scheduler.schedule(after: VirtualTime(.seconds(time))) { [scheduler] in
        ran.append("\(name) \(scheduler.now)")
      }
    }

    scheduler.advance(by: 2)

    #expect(ran == ["a 1.0 s", "b 1.5 s", "c 2.0 s", "d 2.0 s"])
  }

  @Test("A test scheduler stops at the time it is advanced to")
  func stops() {
    var ran: [Int] = []
    for second in 1...3 { scheduler.schedule(after: VirtualTime(.seconds(second))) { ran.append(second) } }

    scheduler.advance(to: VirtualTime(2))
    scheduler.advance(to: VirtualTime(1))

    #expect(ran == [1, 2])
    #expect(scheduler.now == VirtualTime(2))
  }

  @Test("A test scheduler runs actions scheduled by an action if they are due")
  func nested() {
    var ran: [String] = []
    scheduler.schedule { [scheduler] in
      ran.append("outer")
      scheduler.schedule { ran.append("inner, now") }
      scheduler.schedule(after: scheduler.now.advanced(by: 1)) { ran.append("inner, in a second") }
      scheduler.schedule(after: scheduler.now.advanced(by: 3)) { ran.append("inner, too late") }
    }
    scheduler.schedule { ran.append("sibling") }

    scheduler.advance(by: 2)

    #expect(ran == ["outer", "sibling", "inner, now", "inner, in a second"])
  }

  @Test("A test scheduler repeats an action until it is cancelled")
  func repeats() {
    var times: [VirtualTime] = []
    let timer = scheduler.schedule(after: VirtualTime(1), interval: 2) { [scheduler] in
      times.append(scheduler.now)
    }

    scheduler.advance(by: 6)
    timer.cancel()
    scheduler.advance(by: 6)

    #expect(times == [VirtualTime(1), VirtualTime(3), VirtualTime(5)])
    #expect(scheduler.pending == 0)
  }

  @Test("An action on a test scheduler can cancel itself and others that are due")
  func cancelsWhileRunning() {
    var ran: [String] = []
    var timers: [any Cancellable] = []
    timers.append(
      scheduler.schedule(after: VirtualTime(1), interval: 1) {
        ran.append("first")
        for timer in timers { timer.cancel() }
      })
    timers.append(scheduler.schedule(after: VirtualTime(1), interval: 1) { ran.append("second") })

    scheduler.advance(by: 5)

    #expect(ran == ["first"])
  }

  @Test("Dropping the cancellable stops a repetition on a test scheduler and releases the action")
  func dropped() {
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("the action")
      _ = scheduler.schedule(after: VirtualTime(1), interval: 1) { withExtendedLifetime(probe) {} }
    }

    #expect(leaked.isEmpty)
    #expect(scheduler.pending == 0)
  }

  @Test("A test scheduler's `run` runs all actions, however late they are due")
  func runs() {
    var ran: [Int] = []
    for second in [30, 10, 20] {
      scheduler.schedule(after: VirtualTime(.seconds(second))) { ran.append(second) }
    }

    let isDone = scheduler.run()

    #expect(isDone)
    #expect(ran == [10, 20, 30])
    #expect(scheduler.now == VirtualTime(30))
  }

  @Test("A test scheduler's `run` gives up on endless actions at its limit")
  func givesUp() {
    var count = 0
    let timer = scheduler.schedule(after: VirtualTime(0), interval: 0) { count += 1 }

    let isDone = scheduler.run(limit: 50)

    #expect(!isDone)
    #expect(count == 50)
    timer.cancel()
  }

  @Test("Advancing a test scheduler ends even if an action repeats with a negative interval")
  func noPause() {
    var count = 0
    let timer = scheduler.schedule(after: VirtualTime(0), interval: -1) { count += 1 }

    scheduler.advance(by: .nanoseconds(9))

    #expect(count == 10)
    timer.cancel()
  }

  @Test("The time of a test scheduler of dates moves on with an action that repeats with an interval of zero")
  func noPauseBetweenDates() {
    let start = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 800_000_000))
    let scheduler = TestSchedulerOf<RunLoop>(now: start)
    var count = 0
    let timer = scheduler.schedule(after: start, interval: 0) { count += 1 }

    scheduler.run(limit: 10)

    #expect(count == 10)
    #expect(scheduler.now > start)
    #expect(scheduler.now < start.advanced(by: 1e-5))
    timer.cancel()
  }

  @Test("A test scheduler of a time that never changes runs repeating actions up to its limit")
  func noTime() {
    let scheduler = TestSchedulerOf<ImmediateScheduler>(now: ImmediateScheduler.shared.now)
    var count = 0
    let timer = scheduler.schedule(after: scheduler.now, interval: 1) { count += 1 }

    scheduler.run(limit: 10)

    #expect(count == 10)
    timer.cancel()
  }

  @Test("A test scheduler runs an action with a past date at the current time")
  func past() {
    scheduler.advance(by: 5)
    var seen: VirtualTime?
    scheduler.schedule(after: VirtualTime(1)) { [scheduler] in seen = scheduler.now }

    scheduler.advance()

    #expect(seen == VirtualTime(5))
  }

  @Test("A test scheduler runs thousands of actions in the order of their dates")
  func many() {
    var ran: [Int] = []
    let seconds = (0..<2000).map { $0 * 7919 % 2000 }
    for second in seconds { scheduler.schedule(after: VirtualTime(.seconds(second))) { ran.append(second) } }

    scheduler.run()

    #expect(ran == Array(0..<2000))
  }

  @Test("A test scheduler accepts actions from several threads")
  func threads() async {
    let counter = Journal()

    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { [scheduler] in
          for _ in 0..<250 { scheduler.schedule { counter.note("ran") } }
        }
      }
    }
    await scheduler.run()

    #expect(counter.lines.count == 1000)
  }
}
