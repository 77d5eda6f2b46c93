import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`RunLoop` as a scheduler")
struct RunLoopTests {
  let thread = LoopThread()
  let done = DispatchSemaphore(value: 0)

  @Test("A run loop wakes up and runs actions on its thread in order")
  func order() {
    let line = Line<Int>()

    for number in 0..<100 {
      thread.loop.schedule {
        line.add(thread.isCurrent ? number : -1)
        done.signal()
      }
      // One at a time: the loop falls asleep in between.
      #expect(done.comes())
    }
    for number in 100..<1000 { thread.loop.schedule { line.add(thread.isCurrent ? number : -1) } }

    #expect(thread.stop())
    #expect(line.all == Array(0..<1000))
  }

  @Test("An action scheduled on the thread of the run loop runs later")
  func nested() {
    let line = Line<Int>()

    thread.loop.schedule {
      thread.loop.schedule {
        line.add(2)
        done.signal()
      }
      line.add(1)
    }

    #expect(done.comes())
    #expect(line.all == [1, 2])
    #expect(thread.stop())
  }

  @Test("A run loop runs an action only in the mode of its options")
  func mode() {
    let mode = RunLoop.Mode("particular")
    let particular = LoopThread(mode: mode)
    let line = Line<String>()
    let loop = particular.loop!

    loop.schedule { line.add("default") }
    loop.schedule(after: loop.now) { line.add("default, delayed") }
    loop.schedule(options: .init(mode: mode)) { line.add("particular") }
    loop.schedule(after: loop.now, tolerance: 0, options: .init(mode: mode)) {
      line.add("particular, delayed")
    }
    loop.schedule(
      after: loop.now.advanced(by: .milliseconds(20)), tolerance: 0, options: .init(mode: mode)
    ) { done.signal() }

    #expect(done.comes())
    #expect(line.all.sorted() == ["particular", "particular, delayed"])
    #expect(particular.stop(mode: mode))
  }

  @Test("A delayed action does not block the run loop or run before its date")
  func delay() {
    let line = Line<Int>()
    let loop = thread.loop!
    let due = loop.now.advanced(by: .milliseconds(50))

    loop.schedule(after: due, tolerance: .milliseconds(5)) {
      line.add(thread.isCurrent && due.distance(to: loop.now) > -0.001 ? 2 : -1)
      done.signal()
    }
    loop.schedule { line.add(1) }

    #expect(done.comes())
    #expect(line.all == [1, 2])
    #expect(thread.stop())
  }

  @Test(
    "A run loop runs an action with a past or invalid date at once",
    arguments: [-3600, -.infinity, .nan, -1e300] as [TimeInterval])
  func past(seconds: TimeInterval) {
    let due = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: seconds))

    thread.loop.schedule(after: due, tolerance: .init(seconds)) { done.signal() }

    #expect(done.comes())
    #expect(thread.stop())
  }

  @Test("A run loop never runs an action scheduled for the distant future")
  func never() {
    let line = Line<Int>()
    let loop = thread.loop!

    loop.schedule(after: .init(.distantFuture)) { line.add(1) }
    loop.schedule(after: .init(Date(timeIntervalSinceReferenceDate: .infinity))) { line.add(2) }
    loop.schedule(after: loop.now.advanced(by: .milliseconds(20))) { done.signal() }

    #expect(done.comes())
    #expect(line.all.isEmpty)
    #expect(thread.stop())
  }

  @Test("A run loop never runs a repeated action before its date")
  func repeating() {
    let line = Line<RunLoop.SchedulerTimeType>()
    let loop = thread.loop!
    let start = loop.now.advanced(by: .milliseconds(10))

    let repetition = loop.schedule(after: start, interval: .milliseconds(10), tolerance: .milliseconds(1)) {
      line.add(loop.now)
      done.signal()
    }
    let have = done.comes(5)
    repetition.cancel()

    #expect(have)
    for (number, time) in line.all.prefix(5).enumerated() {
      #expect(start.advanced(by: .milliseconds(10 * number)).distance(to: time) > -0.001)
    }
    #expect(thread.stop())
  }

  @Test("A repeated action cancelled on the thread of its run loop does not run again")
  func cancelling() {
    let line = Line<Int>()
    let held = Held()
    let loop = thread.loop!

    loop.schedule {
      held.hold(
        loop.schedule(after: loop.now, interval: .milliseconds(1)) {
          line.add(line.count)
          if line.count == 3 {
            held.cancel()
            done.signal()
          }
        })
    }
    let have = done.comes()
    let later = loop.schedule(after: loop.now, interval: .milliseconds(1)) { done.signal() }
    let haveLater = done.comes(10)
    later.cancel()

    #expect(have && haveLater)
    #expect(line.all == [0, 1, 2])
    #expect(thread.stop())
  }

  @Test("Dropping the cancellable stops the repetition, and the run loop releases all actions")
  func releasing() {
    let lifetimes = Lifetimes()
    let delayedDone = DispatchSemaphore(value: 0)
    let loop = thread.loop!

    do {
      let repeating = lifetimes.probe("repeating")
      let repetition = loop.schedule(after: loop.now, interval: .milliseconds(1)) {
        withExtendedLifetime(repeating) { _ = done.signal() }
      }
      let once = lifetimes.probe("once")
      loop.schedule { withExtendedLifetime(once) {} }
      let delayed = lifetimes.probe("delayed")
      loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) {
        withExtendedLifetime(delayed) { _ = delayedDone.signal() }
      }
      #expect(done.comes(4))
      #expect(delayedDone.comes())
      withExtendedLifetime(repetition) {}
    }

    #expect(thread.stop())
    #expect(lifetimes.living.isEmpty)
  }

  @Test(
    "A run loop accepts an interval or tolerance of zero or less", arguments: [0, -1, .nan] as [TimeInterval])
  func degenerate(seconds: TimeInterval) {
    let loop = thread.loop!

    let repetition = loop.schedule(after: loop.now, interval: .init(seconds), tolerance: .init(seconds)) {
      done.signal()
    }

    #expect(done.comes(3))
    repetition.cancel()
    #expect(thread.stop())
  }
}
