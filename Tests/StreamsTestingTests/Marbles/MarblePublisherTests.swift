import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("Marble publisher")
struct MarblePublisherTests {
  let scheduler = VirtualScheduler.virtual

  @Test("A marble publisher plays its diagram to each subscriber from the beginning")
  func cold() throws {
    let publisher = try Marble("a-b|").publisher(on: scheduler)
    let first = publisher.record()
    scheduler.advance(by: 1)
    let second = publisher.record()

    scheduler.advance(by: 2)

    #expect(first.values == ["a", "b"])
    #expect(first.completions == [.finished])
    #expect(second.values == ["a", "b"])
    #expect(second.completions.isEmpty)
    second.cancel()
    scheduler.run()
  }

  @Test("A marble publisher sends values and failures of any type")
  func types() throws {
    let publisher = try Marble("1-[20]#").publisher(on: scheduler, failing: Unlucky(number: 13)) { Int($0) }

    let recorder = publisher.record()
    scheduler.advance(by: 3)

    #expect(recorder.values == [1, 20])
    #expect(recorder.completions == [.failure(Unlucky(number: 13))])
  }

  @Test("A marble publisher plays at the given interval on any test scheduler")
  func ticks() throws {
    let queue = DispatchQueue.test
    let publisher = try Marble("ab").publisher(on: queue, every: .milliseconds(10))

    let recorder = publisher.record()
    queue.advance(by: .milliseconds(9))
    let early = recorder.values
    queue.advance(by: .milliseconds(1))

    #expect(early == ["a"])
    #expect(recorder.values == ["a", "b"])
  }

  @Test("A marble publisher sends values after actions scheduled for the same time")
  func order() throws {
    let journal = Journal()
    let recorder = try Marble("-a").publisher(on: scheduler).record { $0.onValue = { journal.note($1) } }
    scheduler.schedule(after: scheduler.now.advanced(by: 1)) { journal.note("due") }

    scheduler.advance(by: 1)

    #expect(journal.lines == ["due", "a"])
    withExtendedLifetime(recorder) {}
  }

  @Test("A marble publisher drops unrequested values and still completes")
  func demand() throws {
    let recorder = try Marble("ab|").publisher(on: scheduler).record(demand: .max(1))

    scheduler.advance(by: 2)

    #expect(recorder.values == ["a"])
    #expect(recorder.completions == [.finished])
  }

  @Test("A cancelled marble publisher leaves no action on the scheduler")
  func tidies() throws {
    let recorder = try Marble("a-b").publisher(on: scheduler).record()
    scheduler.advance()

    recorder.cancel()

    #expect(scheduler.pending == 0)
    #expect(recorder.values == ["a"])
  }

  @Test("A finished marble publisher leaves no action on the scheduler")
  func ends() throws {
    let recorder = try Marble("a-b").publisher(on: scheduler).record()

    let isDone = scheduler.run(limit: 50)

    #expect(isDone)
    #expect(recorder.values == ["a", "b"])
  }

  @Test("A marble publisher draws when it was subscribed to and cancelled")
  func subscriptions() throws {
    let publisher = try Marble("a----").publisher(on: scheduler)
    let first = publisher.record()
    scheduler.advance(by: 2)
    let second = publisher.record()
    scheduler.advance(by: 1)
    let third = publisher.record()

    first.cancel()
    third.cancel()

    #expect(publisher.subscriptions == ["^--!", "--^", "---(^!)"])
    second.cancel()
    scheduler.run()
  }

  @Test("A marble publisher draws columns of zero length on a scheduler of dates")
  func noLength() throws {
    let start = RunLoop.SchedulerTimeType(Date(timeIntervalSinceReferenceDate: 800_000_000))
    let scheduler = TestSchedulerOf<RunLoop>(now: start)
    let publisher = try Marble("a-b").publisher(on: scheduler, every: 0)
    let recorder = publisher.record()

    scheduler.run()
    recorder.cancel()

    #expect(recorder.values == ["a", "b"])
    #expect(publisher.subscriptions == ["^-!"])
  }

  @Test("Two marble publishers can be merged and drawn as one diagram")
  func together() throws {
    let letters = try Marble("a--b|").publisher(on: scheduler)
    let digits = try Marble("-1-2-|").publisher(on: scheduler)

    let diagram = scheduler.diagram(of: letters.merge(with: digits))

    #expect(diagram == "a1-(b2)-|")
  }

  private struct Unlucky: Error, Equatable {
    let number: Int
  }
}
