import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// A virtual scheduler that notes which of its properties are read.
final class ReadScheduler: Scheduler {
  typealias Base = VirtualScheduler

  private let base: Base = .virtual
  private let notes = Journal()

  var reads: [String] { notes.lines }

  func runDue() { base.advance() }

  var now: Base.SchedulerTimeType {
    notes.note("now")
    return base.now
  }

  var minimumTolerance: Base.SchedulerTimeType.Stride {
    notes.note("minimumTolerance")
    return base.minimumTolerance
  }

  func schedule(options: Base.SchedulerOptions?, _ action: @escaping () -> Void) {
    base.schedule(options: options, action)
  }

  func schedule(
    after date: Base.SchedulerTimeType, tolerance: Base.SchedulerTimeType.Stride,
    options: Base.SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: Base.SchedulerTimeType, interval: Base.SchedulerTimeType.Stride,
    tolerance: Base.SchedulerTimeType.Stride, options: Base.SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

struct TimedOperator: Sendable, CustomStringConvertible {
  typealias Numbers = Script<Int, Problem>

  let description: String
  let make: @Sendable (Numbers, ReadScheduler) -> AnyPublisher<Int, Problem>

  init(
    _ description: String, _ make: @escaping @Sendable (Numbers, ReadScheduler) -> any Publisher<Int, Problem>
  ) {
    self.description = description
    self.make = { make($0, $1).eraseToAnyPublisher() }
  }

  static let all = [
    TimedOperator("debounce") { $0.debounce(for: 2, scheduler: $1) },
    TimedOperator("debounce, flushing") { $0.debounce(for: 2, scheduler: $1, flushesOnCompletion: true) },
    TimedOperator("throttle") { $0.throttle(for: 2, scheduler: $1, latest: true) },
    TimedOperator("timeout") { $0.timeout(2, scheduler: $1) },
    TimedOperator("prefix, for a time") { $0.prefix(duration: 2, on: $1) },
    TimedOperator("collect, by time") { $0.collect(.byTime($1, 2)).map(\.count) },
    TimedOperator("a timer") { upstream, scheduler in
      scheduler.timerPublisher(after: 2).map { _ in 0 }.setFailureType(to: Problem.self)
    },
  ]
}

@Suite("Reads of a scheduler's clock", .leavesNothing)
struct ClockOrderTests {
  @Test("A timing operator reads the clock before the tolerance, as in Combine", arguments: TimedOperator.all)
  func reads(_ row: TimedOperator) {
    let scheduler = ReadScheduler()
    let script = TimedOperator.Numbers()
    let recorder = row.make(script, scheduler).record()

    for value in 1...3 {
      script.say(value)
      scheduler.runDue()
    }

    let pairs = scheduler.reads.split(separator: "minimumTolerance", omittingEmptySubsequences: false)
    #expect(pairs.count > 1)
    #expect(pairs.dropLast().allSatisfy { $0.last == "now" })
    recorder.cancel()
  }

  @Test("`throttle` reads the clock as often as in Combine")
  func throttle() {
    let scheduler = ReadScheduler()
    let script = TimedOperator.Numbers()
    let recorder = script.throttle(for: 2, scheduler: scheduler, latest: true).record(demand: .max(1))

    let atFirst = scheduler.reads.count
    script.say(1)
    script.say(2)
    let withValues = scheduler.reads.count
    scheduler.runDue()
    let afterDelivery = scheduler.reads.count
    script.say(3)
    script.end()

    #expect([atFirst, withValues, afterDelivery, scheduler.reads.count] == [2, 4, 5, 7])
    #expect(recorder.values == [2])
    recorder.cancel()
  }

  @Test("`throttle` does not read the clock when it sends its waiting value and ends")
  func throttleEnds() {
    let scheduler = ReadScheduler()
    let script = TimedOperator.Numbers()
    let recorder = script.throttle(for: 2, scheduler: scheduler, latest: true).record()

    script.say(1)
    script.end()
    let before = scheduler.reads.count
    scheduler.runDue()

    #expect([before, scheduler.reads.count] == [4, 4])
    #expect(recorder.events == [.subscription, .value(1), .completion(.finished)])
  }
}
