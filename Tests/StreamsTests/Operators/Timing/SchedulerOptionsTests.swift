import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Options and dates of jobs", .leavesNothing)
struct SchedulerOptionsTests {
  @Test(
    "A timing operator schedules each job with its options, except `debounce` its completion, as in Combine",
    arguments: Row.all)
  private func passes(_ row: Row) {
    let scheduler = OptionScheduler()
    let script = Row.Numbers()
    let recorder = row.make(script, scheduler).record()

    scheduler.run()
    script.say(1)
    scheduler.run()
    script.end()
    scheduler.run()

    #expect(scheduler.options == row.options)
    #expect(recorder.completions == [.finished])
  }

  @Test("`throttle` schedules a value at once if the interval is over, and else for its end")
  func throttle() {
    let scheduler = OptionScheduler()
    let script = Script(Int.self, failure: Problem.self)
    let recorder = script.throttle(for: 2, scheduler: scheduler, latest: true).record()

    for value in 1...2 {
      script.say(value)
      scheduler.run()
    }
    script.say(3, 4)
    scheduler.base.advance(by: 0)
    script.say(5)

    #expect(scheduler.dates == [nil, nil, nil, VirtualTime(6)])
    #expect(recorder.values == [1, 2, 4])
    recorder.cancel()
  }

  @Test("`timeout` schedules nothing if it is cancelled as it begins, and no more once upstream is over")
  func timeout() {
    let script = Script(Int.self, failure: Problem.self)
    let schedulers = [OptionScheduler(), OptionScheduler()]
    let cancelled = script.timeout(3, scheduler: schedulers[0]).record(demand: .none) {
      $0.onSubscription = { $0.cancel() }
    }
    let ended = script.timeout(3, scheduler: schedulers[1]).record(demand: .none)
    let late = SubscriptionRecorder()
    script.session?.handOver(late)
    let first = schedulers[1].dates.count

    script.end()
    script.say(1)
    schedulers[1].run()

    #expect(schedulers.map(\.dates.count) == [0, 2])
    #expect(first == 1)
    #expect(late.asks == [.cancel])
    #expect([cancelled, ended].map(\.completions) == [[], [.finished]])
  }

  private struct Row: Sendable, CustomTestStringConvertible {
    typealias Numbers = Script<Int, Problem>

    let testDescription: String
    let options: [String?]
    let make: @Sendable (Numbers, OptionScheduler) -> AnyPublisher<Int, Problem>

    init(
      _ name: String, _ options: String?...,
      make: @escaping @Sendable (Numbers, OptionScheduler) -> any Publisher<Int, Problem>
    ) {
      (testDescription, self.options) = (name, options)
      self.make = { make($0, $1).eraseToAnyPublisher() }
    }

    private static let given = "given"

    static let all = [
      Row("receive(on:)", given, given) { $0.receive(on: $1, options: given) },
      Row("subscribe(on:)", given, given) { $0.subscribe(on: $1, options: given) },
      Row("delay", given, given) { $0.delay(for: 1, scheduler: $1, options: given) },
      Row("timeout", given, given, given, given, given) { $0.timeout(1_000, scheduler: $1, options: given) },
      Row("collect by time", given, given) { $0.collect(.byTime($1, 1), options: given).map(\.count) },
      Row("debounce", given, nil) { $0.debounce(for: 1, scheduler: $1, options: given) },
      Row("debounce that flushes", given, given) {
        $0.debounce(for: 1, scheduler: $1, options: given, flushesOnCompletion: true)
      },
    ]
  }
}

/// A virtual scheduler that notes the options and the date of each job.
private final class OptionScheduler: Scheduler {
  let base: VirtualScheduler = .virtual
  private(set) var options: [String?] = []
  /// When the jobs are due; `nil` for at once.
  private(set) var dates: [VirtualTime?] = []

  var now: VirtualTime { base.now }
  var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

  func run() { base.advance(by: 2) }

  private func note(_ options: String?, _ date: VirtualTime?) {
    self.options.append(options)
    dates.append(date)
  }

  func schedule(options: String?, _ action: @escaping () -> Void) {
    note(options, nil)
    base.schedule(action)
  }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: String?, _ action: @escaping () -> Void
  ) {
    note(options, date)
    base.schedule(after: date, tolerance: tolerance, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: String?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    note(options, date)
    return base.schedule(after: date, interval: interval, tolerance: tolerance, action)
  }
}
