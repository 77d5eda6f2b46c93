import Streams
import StreamsTesting
import Testing

@Suite("`delay`", .leavesNothing)
struct DelayTests {
  @Test(
    "`delay` delays values and a completion by two seconds",
    arguments: [("1", "--1"), ("12-3|", "--12-3|"), ("(12|)", "--(12|)"), ("1#", "--1#")])
  func moves(_ upstream: String, _ expected: String) throws {
    #expect(try Marble(upstream).play { $0.delay(for: 2, scheduler: $1) } == expected)
  }

  @Test("`delay` uses the scheduler's minimum tolerance by default")
  func tolerance() {
    let scheduler = VirtualScheduler.virtual

    #expect(Just(1).delay(for: 2, scheduler: scheduler).tolerance == scheduler.minimumTolerance)
    #expect(Just(1).delay(for: 2, tolerance: 5, scheduler: scheduler).tolerance == 5)
  }

  // MARK: On a scheduler that can take back its jobs

  private let script = Script(Int.self, failure: Problem.self)
  private let jobs = RevocableJobs()

  @Test("`delay` gives up the tokens of jobs that have run, and takes back the others when it is cancelled")
  func takesBack() {
    let recorder = script.delay(for: 2, scheduler: jobs).record()
    script.say(1, 2, 3)

    let atFirst = jobs.areCancelled
    jobs.run(0)
    script.say(4)
    let between = jobs.areCancelled
    recorder.cancel()

    #expect(atFirst == [false, false, false])
    #expect(between == [true, false, false, false])
    #expect(jobs.areCancelled == [true, true, true, true])
    #expect(recorder.values == [1])
  }

  @Test("`delay` gives up the token of a job that runs while the scheduler accepts it, and of no other")
  func runsEarly() {
    let recorder = script.delay(for: 2, scheduler: jobs).record()
    jobs.onSchedule = { [jobs] in jobs.run(0) }

    script.say(1)
    script.say(2)

    #expect(jobs.areCancelled == [true, false])
    #expect(recorder.values == [1])
    recorder.cancel()
  }

  @Test("`delay` takes back no other job when it goes on with values that jobs have left to a busy one")
  func goesOn() {
    let recorder = script.delay(for: 2, scheduler: jobs).record { [jobs] recorder in
      recorder.onValue = { _, value in
        if value == 0 { jobs.runElsewhere(1..<300) }
      }
    }
    for value in 0...300 { script.say(value) }

    jobs.run(0)
    let first = recorder.values.count
    jobs.run(301)
    let second = recorder.values.count
    let isTakenBack = jobs.areCancelled[300]
    jobs.run(300)

    #expect([first, second] == [257, 300])
    #expect(!isTakenBack)
    #expect(recorder.values == Array(0...300))
    recorder.cancel()
  }

  @Test("`delay` takes back a job if it is cancelled while the scheduler accepts that")
  func cancelledMeanwhile() {
    let recorder = script.delay(for: 2, scheduler: jobs).record()
    jobs.onSchedule = { recorder.cancel() }

    script.say(1)

    #expect(jobs.areCancelled == [true])
  }
}

/// Runs nothing by itself.
private final class RevocableJobs: RevocableScheduler {
  private final class Job: Cancellable {
    private var action: (() -> Void)?
    private(set) var isCancelled = false

    init(_ action: @escaping () -> Void) { self.action = action }

    func run() { action.take()?() }

    func cancel() {
      isCancelled = true
      action = nil
    }
  }

  private var jobs: [Job] = []
  /// Called once, before the caller has the means to cancel.
  var onSchedule: (() -> Void)?

  let now = VirtualTime()
  let minimumTolerance: VirtualTime.Stride = 0
  var areCancelled: [Bool] { jobs.map(\.isCancelled) }

  func run(_ number: Int) { jobs[number].run() }

  /// Runs jobs on another thread, while the caller waits.
  func runElsewhere(_ numbers: Range<Int>) {
    nonisolated(unsafe) let jobs = jobs  // the caller waits
    elsewhere { for number in numbers { jobs[number].run() } }
  }

  func scheduleOnce(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = Job(action)
    jobs.append(job)
    onSchedule.take()?()
    return job
  }

  func schedule(options _: Never?, _ action: @escaping () -> Void) { jobs.append(Job(action)) }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options _: Never?, _: @escaping () -> Void
  ) {
    Issue.record("it is not asked for this")
  }

  func schedule(
    after _: VirtualTime, interval _: VirtualTime.Stride, tolerance _: VirtualTime.Stride, options _: Never?,
    _: @escaping () -> Void
  ) -> any Cancellable {
    Issue.record("it is not asked for this")
    return Subscriptions.empty
  }
}

@Suite("`measureInterval`", .leavesNothing)
struct MeasureIntervalTests {
  @Test(
    "The first interval of `measureInterval` begins when the subscription arrives, and a second one is ignored"
  )
  func arrival() {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    script.handsOverAtOnce = false
    let recorder = script.measureInterval(using: scheduler).record()

    scheduler.advance(by: 5)
    script.sessions[0].handOver(script.sessions[0].subscription)
    scheduler.advance(by: 1)
    script.sessions[0].handOver(SubscriptionRecorder())
    scheduler.advance(by: 2)
    script.say(1)
    scheduler.advance(by: 0.5)
    script.say(2)

    #expect(recorder.values == [3, 0.5])
  }
}
