import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("`AnyScheduler`", .leavesNothing)
struct AnySchedulerTests {
  @Test("A scheduler that can take back an action is found behind its type erasure, and others are not")
  func revocable() {
    let (main, virtual) = (MainActorScheduler.shared, VirtualScheduler.virtual)

    #expect(main.revocable(options: nil) != nil)
    #expect(main.eraseToAnyScheduler().revocable(options: nil) != nil)
    #expect(virtual.revocable(options: nil) == nil)
    #expect(virtual.eraseToAnyScheduler().revocable(options: nil) == nil)
  }

  @Test("`AnyScheduler` forwards all actions and times to its underlying scheduler")
  func forwards() {
    let base = VirtualScheduler.virtual
    let scheduler: AnySchedulerOf<VirtualScheduler> = base.eraseToAnyScheduler()
    let journal = Journal()

    scheduler.schedule { journal.note("at \(scheduler.now)") }
    scheduler.schedule(after: VirtualTime(2)) { journal.note("at \(scheduler.now)") }
    let timer = scheduler.schedule(after: VirtualTime(3), interval: 1) { journal.note("every, \(base.now)") }
    base.advance(by: 4)
    timer.cancel()
    base.advance(by: 4)

    #expect(journal.lines == ["at 0.0 s", "at 2.0 s", "every, 3.0 s", "every, 4.0 s"])
    #expect(scheduler.minimumTolerance == 0)
  }

  @Test("`AnyScheduler` of closures calls them with what it is asked")
  func closures() {
    let base = VirtualScheduler.virtual
    let scheduler = AnySchedulerOf<VirtualScheduler>(
      minimumTolerance: { 0.5 }, now: { base.now }, scheduleImmediately: { base.schedule(options: $0, $1) },
      delayed: { base.schedule(after: $0, tolerance: $1, options: $2, $3) },
      interval: { base.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) })
    let journal = Journal()

    scheduler.schedule { journal.note("now, \(base.now)") }
    scheduler.schedule(after: VirtualTime(2)) { journal.note("later, \(scheduler.now)") }
    let timer = scheduler.schedule(after: VirtualTime(3), interval: 1) { journal.note("every, \(base.now)") }
    base.advance(by: 4)
    timer.cancel()
    base.advance(by: 4)

    #expect(journal.lines == ["now, 0.0 s", "later, 2.0 s", "every, 3.0 s", "every, 4.0 s"])
    #expect(scheduler.minimumTolerance == 0.5)
    let same: any SchedulerOf<VirtualScheduler> = scheduler
    #expect(same.now == base.now)
  }

  @Test("`AnyScheduler` gives schedulers of different types one type")
  func one() {
    let base = VirtualScheduler.virtual
    let schedulers = [
      base.eraseToAnyScheduler(),
      AnyScheduler(ImmediateSchedulerOf<VirtualScheduler>(now: VirtualTime(5))),
    ]

    let recorders = schedulers.map { Just(1).delay(for: 1, scheduler: $0).record() }

    #expect(recorders.map(\.values) == [[], [1]])
  }

  @Test("`AnyScheduler` can be used in another task")
  func sendable() async {
    let base = VirtualScheduler.virtual
    let scheduler = base.eraseToAnyScheduler()
    let journal = Journal()

    await Task.detached { scheduler.schedule { journal.note("ran") } }.value
    await base.run()

    #expect(journal.lines == ["ran"])
  }

  @Test(
    "`AnyScheduler` delivers a burst in one job if its underlying scheduler does", arguments: [true, false])
  func bursts(_ isBatching: Bool) {
    let base = VirtualScheduler.virtual
    let scheduler = isBatching ? AnyScheduler(Batching(base: base)) : AnyScheduler(base)
    let subject = PassthroughSubject<Int, Never>()
    let recorder = subject.receive(on: scheduler).record()

    for value in 1...3 { subject.send(value) }
    let jobs = base.pending
    base.run()
    recorder.cancel()

    #expect(jobs == (isBatching ? 1 : 3))
    #expect(recorder.values == [1, 2, 3])
  }

  @Test("`AnyScheduler` can wrap the immediate scheduler")
  func immediate() {
    let scheduler: AnySchedulerOf<ImmediateScheduler> = .shared
    let recorder = [1, 2].publisher.receive(on: scheduler).record()

    #expect(recorder.values == [1, 2])
  }
}

@Suite("`ImmediateSchedulerOf`", .leavesNothing)
struct ImmediateSchedulerOfTests {
  @Test("`ImmediateSchedulerOf` runs every action immediately, once, whatever its date")
  func immediate() {
    let scheduler = ImmediateSchedulerOf<VirtualScheduler>(now: VirtualTime(7))
    let journal = Journal()

    scheduler.schedule { journal.note("now") }
    scheduler.schedule(after: VirtualTime(1000)) { journal.note("after") }
    scheduler.schedule(after: VirtualTime(0), interval: 1) { journal.note("every") }.cancel()

    #expect(journal.lines == ["now", "after", "every"])
    #expect(scheduler.now == VirtualTime(7))
    #expect(scheduler.minimumTolerance == 0)
  }
}

/// Virtual time, as a queue that nobody steps through.
private struct Batching: Scheduler, BatchingScheduler, Sendable {
  let base: VirtualScheduler

  var now: VirtualTime { base.now }
  var minimumTolerance: VirtualTime.Stride { base.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { base.schedule(options: options, action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    base.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}
