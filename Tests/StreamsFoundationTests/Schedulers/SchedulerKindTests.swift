import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("Dispatch queues, operation queues and run loops as schedulers")
struct SchedulerKindTests {
  let done = DispatchSemaphore(value: 0)

  @Test(
    "A delayed action does not block its scheduler or run before its date", arguments: SchedulerKind.allCases)
  func delay(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      let line = Line<Int>()
      let far = stand.scheduler.now.advanced(by: .seconds(3600))
      let never = stand.scheduler.schedule(after: far, interval: .seconds(3600)) { line.add(-2) }
      stand.scheduler.schedule {
        line.add(1)
        done.signal()
      }
      #expect(done.comes())
      never.cancel()

      let due = stand.scheduler.now.advanced(by: .milliseconds(50))
      stand.scheduler.schedule(after: due, tolerance: .milliseconds(5)) {
        line.add(due.distance(to: stand.scheduler.now) + stand.slack >= .seconds(0) ? 2 : -1)
        done.signal()
      }

      #expect(done.comes())
      #expect(line.all == [1, 2])
      #expect(stand.stop())
    }
    check(kind.stand())
  }

  @Test("A scheduler runs an action with a past or invalid date at once", arguments: SchedulerKind.allCases)
  func past(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      for date in stand.past {
        stand.scheduler.schedule(after: date) { done.signal() }
        stand.scheduler.schedule(after: date, tolerance: .seconds(-1)) { done.signal() }
      }

      #expect(done.comes(2 * stand.past.count))
      #expect(stand.stop())
    }
    check(kind.stand())
  }

  @Test("A scheduler never runs an action for the distant future", arguments: SchedulerKind.allCases)
  func never(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      let (line, scheduler) = (Line<Int>(), stand.scheduler)
      for date in stand.never { scheduler.schedule(after: date) { line.add(1) } }
      let repetition = scheduler.schedule(after: stand.never[0], interval: .seconds(1)) { line.add(2) }

      scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(20))) { done.signal() }

      #expect(done.comes())
      #expect(line.all.isEmpty)
      repetition.cancel()
      #expect(stand.stop())
    }
    check(kind.stand())
  }

  @Test("A scheduler never runs a repeated action before its date", arguments: SchedulerKind.allCases)
  func repeating(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      let (line, scheduler) = (Line<Bool>(), stand.scheduler)
      let start = scheduler.now.advanced(by: .milliseconds(10))

      let repetition = scheduler.schedule(
        after: start, interval: .milliseconds(10), tolerance: .milliseconds(1)
      ) {
        let due = start.advanced(by: .milliseconds(10 * line.count))
        line.add(due.distance(to: scheduler.now) + stand.slack >= .seconds(0))
        done.signal()
      }

      #expect(done.comes(5))
      repetition.cancel()
      #expect(stand.stop())
      #expect(line.all.count >= 5 && line.all.allSatisfy { $0 })
    }
    check(kind.stand())
  }

  @Test("A repeated action that cancels itself does not run again", arguments: SchedulerKind.allCases)
  func cancelling(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      let (line, held, scheduler) = (Line<Int>(), Held(), stand.scheduler)

      stand.whileIdle { [done] in
        let repetition = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
          line.add(line.count)
          if line.count == 3 {
            held.cancel()
            done.signal()
          }
        }
        held.hold(AnyCancellable(repetition))
      }
      let have = done.comes()
      let later = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) { done.signal() }
      let haveLater = done.comes(10)
      later.cancel()

      #expect(have && haveLater)
      #expect(line.all == [0, 1, 2])
      #expect(stand.stop())
    }
    check(kind.stand())
  }

  @Test(
    "Dropping the cancellable stops a repetition, and a scheduler releases all actions",
    arguments: SchedulerKind.allCases)
  func releasing(_ kind: SchedulerKind) {
    func check(_ stand: some SchedulerStand) {
      let (lifetimes, scheduler) = (Lifetimes(), stand.scheduler)
      let delayedDone = DispatchSemaphore(value: 0)

      do {
        let probes = ["repeating", "waiting", "once", "delayed"].map { lifetimes.probe($0) }
        let repetition = scheduler.schedule(after: scheduler.now, interval: .milliseconds(1)) {
          withExtendedLifetime(probes[0]) { _ = done.signal() }
        }
        let waiting = scheduler.schedule(after: stand.never[0], interval: .seconds(1)) {
          withExtendedLifetime(probes[1]) {}
        }
        scheduler.schedule { withExtendedLifetime(probes[2]) {} }
        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(1))) {
          withExtendedLifetime(probes[3]) { _ = delayedDone.signal() }
        }
        #expect(done.comes(4))
        #expect(delayedDone.comes())
        withExtendedLifetime((repetition, waiting)) {}
      }

      #expect(stand.stop())
      // A queue releases a timer or an operation in a job of its own.
      #expect(lifetimes.end())
    }
    check(kind.stand())
  }

  @Test(
    "A scheduler accepts an interval or tolerance of zero or less", arguments: SchedulerKind.allCases,
    [0, -1, .nan] as [TimeInterval])
  func degenerate(_ kind: SchedulerKind, seconds: TimeInterval) {
    func check(_ stand: some SchedulerStand) {
      let repetition = stand.scheduler.schedule(
        after: stand.scheduler.now, interval: .seconds(seconds), tolerance: .seconds(seconds)
      ) { done.signal() }

      #expect(done.comes(3))
      repetition.cancel()
      #expect(stand.stop())
    }
    check(kind.stand())
  }
}
