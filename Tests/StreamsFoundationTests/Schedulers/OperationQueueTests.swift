import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`OperationQueue` as a scheduler")
struct OperationQueueTests {
  let queue = OperationQueue()
  let done = DispatchSemaphore(value: 0)

  @Test("A serial operation queue runs actions in order")
  func order() {
    let line = Line<Int>()
    queue.maxConcurrentOperationCount = 1

    for number in 0..<1000 {
      queue.schedule { line.add(OperationQueue.current === queue ? number : -1) }
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(line.all == Array(0..<1000))
  }

  @Test("An operation queue runs as many actions concurrently as its maximum")
  func concurrency() {
    queue.maxConcurrentOperationCount = 4
    let inside = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)

    for _ in 0..<4 {
      queue.schedule {
        inside.signal()
        _ = leave.comes()
      }
    }
    let haveMet = inside.comes(4)
    for _ in 0..<4 { leave.signal() }
    queue.waitUntilAllOperationsAreFinished()

    #expect(haveMet)
  }

  @Test("A delayed action does not block the operation queue or run before its date")
  func delay() {
    queue.maxConcurrentOperationCount = 1
    let line = Line<Int>()
    let due = queue.now.advanced(by: .milliseconds(50))

    queue.schedule(after: due, tolerance: .milliseconds(5)) {
      line.add(due.distance(to: queue.now) > -0.001 ? 2 : -1)
    }
    queue.schedule { line.add(1) }
    queue.waitUntilAllOperationsAreFinished()

    #expect(line.all == [1, 2])
  }

  @Test(
    "An operation queue runs an action with a past or invalid date at once",
    arguments: [-3600, -.infinity, .nan, -1e300] as [TimeInterval])
  func past(seconds: TimeInterval) {
    let due = OperationQueue.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: seconds))

    queue.schedule(after: due) { done.signal() }

    #expect(done.comes())
  }

  @Test("A suspended operation queue holds actions back, and cancelling all operations drops them")
  func suspending() {
    let line = Line<Int>()

    queue.isSuspended = true
    queue.schedule { line.add(1) }
    queue.schedule(after: queue.now.advanced(by: .seconds(3600))) { line.add(2) }
    queue.schedule(after: .init(.distantFuture)) { line.add(3) }
    let waiting = queue.operationCount
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.schedule { line.add(4) }
    queue.waitUntilAllOperationsAreFinished()

    #expect(waiting == 2)  // one for all that are delayed
    #expect(line.all == [4])
  }

  @Test("An operation queue never runs a repeated action before its date", arguments: [1, 4])
  func repeating(width: Int) {
    queue.maxConcurrentOperationCount = width
    let line = Line<OperationQueue.SchedulerTimeType>()
    let start = queue.now.advanced(by: .milliseconds(10))

    let repetition = queue.schedule(after: start, interval: .milliseconds(10), tolerance: .milliseconds(1)) {
      line.add(queue.now)
      done.signal()
    }
    let have = done.comes(5)
    repetition.cancel()
    queue.waitUntilAllOperationsAreFinished()

    #expect(have)
    #expect(line.all.count >= 5)
    for (number, time) in line.all.enumerated() {
      #expect(start.advanced(by: .milliseconds(10 * number)).distance(to: time) > -0.001)
    }
  }

  @Test(
    "The next repetition date skips missed intervals and keeps in step",
    arguments: [
      (0, 5), (4.5, 5), (5, 10), (5.5, 10), (12, 15), (1e6, 1_000_005), (-3, 5),
    ] as [(TimeInterval, TimeInterval)])
  func missing(present: TimeInterval, next: TimeInterval) {
    let start = Date(timeIntervalSinceReferenceDate: 0)

    let date = start.next(every: 5, after: Date(timeIntervalSinceReferenceDate: present))

    #expect(date.timeIntervalSinceReferenceDate == next)
  }

  @Test("A repeated action that cancels itself on an operation queue does not run again", arguments: [1, 4])
  func cancelling(width: Int) {
    queue.maxConcurrentOperationCount = width
    let line = Line<Int>()
    let held = Held()

    queue.isSuspended = true
    held.hold(
      queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        line.add(line.count)
        if line.count == 3 {
          held.cancel()
          done.signal()
        }
      })
    queue.isSuspended = false
    let have = done.comes()
    let later = queue.schedule(after: queue.now, interval: .milliseconds(1)) { done.signal() }
    let haveLater = done.comes(10)
    later.cancel()

    #expect(have && haveLater)
    #expect(line.all == [0, 1, 2])
  }

  @Test("A repetition on an operation queue can be cancelled at any time")
  func racing() {
    let lifetimes = Lifetimes()

    for _ in 0..<200 {
      let probe = lifetimes.probe("action")
      let repetition = queue.schedule(after: queue.now, interval: .microseconds(100)) {
        withExtendedLifetime(probe) { _ = done.signal() }
      }
      _ = done.comes()
      repetition.cancel()
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(lifetimes.end())
    #expect(queue.operationCount == 0)
  }

  @Test("Dropping the cancellable stops the repetition, and the operation queue releases all actions")
  func releasing() {
    let lifetimes = Lifetimes()

    do {
      let repeating = lifetimes.probe("repeating")
      let repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
        withExtendedLifetime(repeating) { _ = done.signal() }
      }
      let waiting = lifetimes.probe("waiting")
      let other = queue.schedule(after: .init(.distantFuture), interval: 1) {
        withExtendedLifetime(waiting) {}
      }
      let once = lifetimes.probe("once")
      queue.schedule { withExtendedLifetime(once) {} }
      let delayed = lifetimes.probe("delayed")
      queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
        withExtendedLifetime(delayed) { _ = done.signal() }
      }
      #expect(done.comes(5))
      withExtendedLifetime((repetition, other)) {}
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(lifetimes.end())
  }

  @Test("An operation queue accepts an interval of zero or less", arguments: [0, -1, .nan] as [TimeInterval])
  func degenerate(seconds: TimeInterval) {
    let repetition = queue.schedule(after: queue.now, interval: .init(seconds), tolerance: .init(seconds)) {
      done.signal()
    }

    #expect(done.comes(3))
    repetition.cancel()
  }

  @Test("Cancelling the operation that stood for delayed actions of the past keeps those that came later")
  func formerPlaceholder() {
    let lifetimes = Lifetimes()
    queue.isSuspended = true
    queue.schedule(after: .init(.distantFuture), interval: 1) {}.cancel()
    let placeholders = queue.operations
    do {
      let probe = lifetimes.probe("a later action")
      queue.schedule(after: .init(.distantFuture)) { withExtendedLifetime(probe) {} }
    }

    for placeholder in placeholders { placeholder.cancel() }

    #expect(placeholders.count == 1)
    #expect(lifetimes.living == ["a later action"])
    queue.cancelAllOperations()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(lifetimes.end())
  }
}
