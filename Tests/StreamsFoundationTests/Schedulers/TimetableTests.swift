import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras
import StreamsTesting
import Testing

@Suite("`Timetable`")
struct TimetableTests {
  @Test("A timetable returns entries by date, then in insertion order")
  func order() {
    var timetable = Timetable<Date, Int>()
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

  @Test("A timetable returns hundreds of entries in order, whichever are removed or added meanwhile")
  func model() {
    var timetable = Timetable<Int, Int>()
    var expected: [(time: Int, number: Int)] = []
    var seed: UInt32 = 1

    for round in 0..<600 {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let time = Int(seed >> 24)
      let number = timetable.add(round, at: time)
      expected.append((time, number))
      expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
      #expect(timetable.earliest == expected[0].time)
      if round % 5 == 1 {
        let gone = expected.remove(at: Int(seed >> 8) % expected.count)
        #expect(timetable.remove(gone.number) != nil)
      } else if round % 5 == 3 {
        let first = expected.removeFirst()
        let taken = timetable.takeEarliest(until: nil)
        #expect(taken?.number == first.number && taken?.time == first.time)
      }
    }
    var rest: [Int] = []
    while let taken = timetable.takeEarliest(until: nil) { rest.append(taken.number) }

    #expect(rest == expected.map(\.number))
    #expect(timetable.isEmpty && timetable.storedCount == 0)
  }

  @Test("A timetable shows its first entry without taking it, and passes over removed ones")
  func first() {
    var timetable = Timetable<Int, String>()
    let empty = (timetable.first, timetable.earliest)
    let gone = timetable.add("removed", at: 1)
    _ = timetable.add("first", at: 2)
    _ = timetable.add("second", at: 3)

    let removed = timetable.remove(gone)

    #expect(empty.0 == nil && empty.1 == nil)
    #expect(removed == "removed")
    #expect(timetable.remove(gone) == nil)
    #expect(timetable.earliest == 2)
    #expect(timetable.first == "first" && timetable.first == "first")
    #expect(timetable.takeEarliest(until: 1) == nil)
    #expect(timetable.takeEarliest(until: 2)?.entry == "first")
    #expect(timetable.count == 1)
  }

  @Test("A timetable removes the wanted entries in insertion order")
  func removingSome() {
    var timetable = Timetable<Int, Int>()
    for number in 0..<40 { _ = timetable.add(number, at: 40 - number) }

    let removed = timetable.removeAll { $0 % 4 == 0 }

    #expect(removed == (0..<10).map { $0 * 4 })
    #expect(timetable.count == 30)
    #expect(timetable.first == 39)
  }

  @Test("A timetable keeps at most as many removed entries as others, and sixteen more")
  func removedStorage() {
    var timetable = Timetable<Int, Int>()
    let numbers = (0..<18).map { timetable.add($0, at: $0) }

    for number in numbers.dropLast() { _ = timetable.remove(number) }
    let kept = timetable.storedCount
    _ = timetable.remove(numbers[17])

    #expect(kept == 18)
    #expect(timetable.storedCount == 0)
  }

  @Test("A timetable frees the storage of removed entries")
  func removing() {
    var timetable = Timetable<Date, Int>()
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

  @Test("An operation queue holds one operation for all delayed actions and cancels them with it")
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

  @Test("An operation queue runs thousands of delayed actions in the order of their dates")
  func manyOperations() {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    var line = Line<Int>()
    var isBeforeFirst = false
    var seconds = 1.0

    // All must be scheduled, in reverse, before the first is due: on a busy machine, that takes longer.
    while !isBeforeFirst {
      let current = Line<Int>()
      let start = queue.now.advanced(by: .seconds(seconds))
      for number in (0..<2000).reversed() {
        queue.schedule(after: start.advanced(by: .microseconds(number))) { current.add(number) }
      }
      isBeforeFirst = queue.now < start
      queue.waitUntilAllOperationsAreFinished()
      seconds *= 3
      line = current
    }

    #expect(line.all == Array(0..<2000))
  }
}

@Suite("`SteadyDates`")
struct SteadyDatesTests {
  private let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

  @Test("A thread that is interrupted between two clocks does not take the wall clock for set")
  func interrupted() {
    var dates = SteadyDates()

    let first = dates.date(for: start + 5, wallClock: start, now: start)
    let second = dates.date(for: start + 5, wallClock: start + 2.5, now: start + 2, spread: 0.6)

    #expect(second == first)
  }

  @Test(
    "A delay keeps its length when the wall clock is set while it waits",
    arguments: [-86_400, 86_400, -0.5, 3_600, 1e9] as [TimeInterval])
  func clockIsSet(change: TimeInterval) {
    var dates = SteadyDates()

    let before = dates.date(for: start + 5, wallClock: start, now: start)
    let later = start + 2
    let after = dates.date(for: later + change + 5, wallClock: later + change, now: later)

    #expect(before == start + 5)
    #expect(abs(after.timeIntervalSince(later) - 5) < 0.001)
  }

  @Test("Equal dates stay equal, though the clocks are read at slightly different times")
  func equalDates() {
    var dates = SteadyDates()

    let all = (0..<100).map { number in
      dates.date(for: start + 5, wallClock: start + Double(number) * 1e-5, now: start)
    }

    #expect(Set(all).count == 1)
  }
}

@Suite("Long delays")
struct LongDelayTests {
  @Test("Cancelling a stream releases its delayed value on every scheduler")
  func cancelled() {
    let thread = LoopThread()
    let lifetimes = Lifetimes()
    let queue = DispatchQueue(label: "delays")

    delay(on: queue, lifetimes, "queue")
    delay(on: OperationQueue(), lifetimes, "operation queue")
    delay(on: thread.loop, lifetimes, "run loop")
    delay(on: queue.eraseToAnyScheduler(), lifetimes, "erased queue")
    delay(on: thread.loop.eraseToAnyScheduler(), lifetimes, "erased run loop")
    delay(on: MainActorScheduler.shared, lifetimes, "main actor")
    delay(on: MainActorScheduler.shared.eraseToAnyScheduler(), lifetimes, "erased main actor")
    delay(on: UIScheduler.shared, lifetimes, "interface")
    // A queue lets go of a timer's closure in a job of its own.

    #expect(lifetimes.end())
    #expect(thread.stop())
  }

  @Test("Delayed values arrive once, in order and before the completion", arguments: [1, 3])
  func arrives(count: Int) {
    let (done, line) = (DispatchSemaphore(value: 0), Line<Int>())
    let subject = PassthroughSubject<Int, Never>()
    let queue = DispatchQueue(label: "delays")
    let cancellable = subject.delay(for: .milliseconds(5), scheduler: queue)
      .sink { _ in
        done.signal()
      } receiveValue: {
        line.add($0)
      }

    for number in 0..<count { subject.send(number) }
    subject.send(completion: .finished)

    #expect(done.comes())
    #expect(line.all == Array(0..<count))
    cancellable.cancel()
  }

  /// What waits in the scheduler holds the subscription.
  private func delay<Context: Scheduler>(on scheduler: Context, _ lifetimes: Lifetimes, _ name: String) {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.delay(for: .seconds(300), scheduler: scheduler).record()
    lifetimes.track(recorder.subscriptions[0] as AnyObject, as: name)
    subject.send(1)
    recorder.cancel()
    recorder.forget()
  }
}
