import Foundation
import Streams
import StreamsFoundation
import Testing

@Suite("The timetable of a queue or a run loop")
struct TimetableTests {
  @Test("gives entries by date, and those of one date in the order in which they came")
  func order() {
    var timetable = Timetable<Int>()
    let dates = [5, 1, 4, 1, 3, 5, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
    for (number, date) in dates.enumerated() { _ = timetable.add(number, at: date) }

    var taken: [Int] = []
    while let next = timetable.takeEarliest(until: Date(timeIntervalSinceReferenceDate: 4)) {
      taken.append(next.entry)
    }

    #expect(taken == [1, 3, 6, 4, 2])
    #expect(timetable.count == 2)
    #expect(timetable.earliest == dates[0])
  }

  @Test("keeps nothing of entries that were removed, however many there were")
  func removing() {
    var timetable = Timetable<Int>()
    let far = Date(timeIntervalSinceNow: 300)
    _ = timetable.add(-1, at: far)

    for number in 0..<10_000 {
      let removed = timetable.remove(timetable.add(number, at: far))
      #expect(removed == number)
    }

    #expect(timetable.storedCount < 100)
    #expect(timetable.takeEarliest(until: .distantFuture)?.entry == -1)
    #expect(timetable.isEmpty)
  }

  @Test("of an operation queue holds back one operation for all delayed actions, and cancels them with it")
  func oneOperation() {
    let queue = OperationQueue()
    let line = Line<Int>()

    for number in 0..<4000 { queue.schedule(after: queue.now.advanced(by: 300)) { line.add(number) } }
    let waiting = queue.operationCount
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    queue.schedule(after: queue.now.advanced(by: .milliseconds(5))) { line.add(-1) }
    queue.waitUntilAllOperationsAreFinished()

    #expect(waiting == 1)
    #expect(line.all == [-1])
  }

  @Test("of an operation queue runs thousands of actions in the order of their dates")
  func manyOperations() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let line = Line<Int>()
    let start = queue.now.advanced(by: .milliseconds(20))

    for number in (0..<2000).reversed() {
      queue.schedule(after: start.advanced(by: .microseconds(number))) { line.add(number) }
    }
    queue.waitUntilAllOperationsAreFinished()

    #expect(line.all == Array(0..<2000))
  }

  @Test("of a run loop runs thousands of actions in the order of their dates")
  func manyTimers() {
    let thread = LoopThread()
    let loop = thread.loop!
    let line = Line<Int>()
    let done = DispatchSemaphore(value: 0)
    let start = loop.now.advanced(by: .milliseconds(20))

    for number in (0..<2000).reversed() {
      loop.schedule(after: start.advanced(by: .microseconds(number)), tolerance: 0) {
        line.add(number)
        if number == 1999 { done.signal() }
      }
    }

    #expect(done.comes())
    #expect(line.all == Array(0..<2000))
    #expect(thread.stop())
  }
}
