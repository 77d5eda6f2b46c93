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
