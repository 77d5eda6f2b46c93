import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Effects that wait in a chain that nobody retains", .leavesNothing)
struct ReleasedChainTests {
  @Test(
    "A released chain delivers what waits or is silent at once, and leaves nothing",
    arguments: Waiting.all.flatMap { waiting in waiting.fates.map { (waiting, $0.key, $0.value) } })
  func released(waiting: Waiting, moment: Waiting.Moment, fate: Waiting.Fate) {
    let remains = Remains(of: waiting, at: moment)

    switch fate {
    case .later(let signals):
      #expect(remains.living.contains("the subscriber"))
      #expect(remains.signals == signals)
    case .silent:
      #expect(remains.living == [])
      #expect(remains.pending == 0)
      #expect(remains.signals == "")
    }
    #expect(remains.isDry)
    #expect(remains.leaks == [])
  }

  @Test(
    "A chain that is cancelled while something waits is silent, and leaves nothing", arguments: Waiting.all)
  func cancelled(waiting: Waiting) {
    for moment in waiting.fates.keys {
      let remains = Remains(of: waiting, at: moment, cancels: true)

      #expect(remains.living.contains("the subscriber") == (moment == .unsubscribed))
      #expect(remains.signals == "")
      #expect(remains.openUpstreams == 0)
      #expect(remains.isDry)
      #expect(remains.leaks == [])
    }
  }

  @Test("A timer ends a stream that only the upstream holds, and tells the subscriber", arguments: 0...3)
  func heldByUpstream(_ way: Int) {
    let (scheduler, log) = (VirtualScheduler.virtual, Guarded<[String]>([]))
    let subject = PassthroughSubject<Cargo, TestFailure>()
    let chain =
      switch way {
      case 0: subject.timeout(1, scheduler: scheduler).eraseToAnyPublisher()
      case 1: subject.timeout(1, scheduler: scheduler) { .scripted }.eraseToAnyPublisher()
      case 2:
        subject.timeout(1, scheduler: scheduler, other: Empty<Cargo, TestFailure>()).eraseToAnyPublisher()
      default: subject.prefix(duration: 1, on: scheduler)
      }
    chain.subscribe(Quiet(log, holds: false))

    scheduler.advance(by: 2)

    #expect(log.withLock { $0 } == [way == 1 ? "x" : "|"])
  }

  @Test("An autoconnected timer sends until its subscriber cancels, even if nothing else retains it")
  func repeatingTimer() {
    let (scheduler, log) = (VirtualScheduler.virtual, Guarded<[String]>([]))
    let quiet = Quiet(log, holds: true)
    scheduler.timerPublisher(every: 1).autoconnect().map { _ in Cargo("date") }
      .setFailureType(to: TestFailure.self).subscribe(quiet)

    scheduler.advance(by: 2)
    quiet.cancel()

    #expect(log.withLock { $0 } == ["date", "date"])
    #expect(scheduler.pending == 0)
  }
}

/// What is left of a chain once everything but the scheduler was released.
private struct Remains {
  /// What was not released at once.
  let living: [String]
  /// How many actions were scheduled then.
  let pending: Int
  /// What the subscriber has received since.
  let signals: String
  /// How many upstreams neither ended nor were cancelled.
  let openUpstreams: Int
  /// Whether nothing is scheduled in the end.
  let isDry: Bool
  /// What was never released.
  let leaks: [String]

  init(of waiting: Waiting, at moment: Waiting.Moment, cancels: Bool = false) {
    let (scheduler, lifetimes) = (VirtualScheduler.virtual, Lifetimes())
    let (log, open) = (Guarded<[String]>([]), Guarded(0))
    /// What it creates is released when it returns.
    func leave() {
      let subject = lifetimes.track(PassthroughSubject<Cargo, TestFailure>(), as: "the upstream")
      let quiet = lifetimes.track(Quiet(log, holds: cancels), as: "the subscriber")
      // Weak: what is to subscribe again would retain its own subscriber.
      let upstream = Deferred { [weak subject] in
        subject?.eraseToAnyPublisher() ?? Fail(error: .scripted).eraseToAnyPublisher()
      }
      waiting.make(cancels ? upstream.counted(in: open) : upstream.eraseToAnyPublisher(), scheduler)
        .subscribe(quiet)
      moment.reach(subject, scheduler) { lifetimes.track(Cargo($0), as: $0) }
      if cancels { quiet.cancel() }
    }
    let early: Int
    (living, pending, early) = ManualTaskExecutor.whileRunning {
      leave()
      return (lifetimes.living, scheduler.pending, log.withLock { $0.count })
    }
    isDry = scheduler.run(limit: 100)
    signals = log.withLock { $0.dropFirst(early).joined(separator: " ") }
    openUpstreams = open.withLock { $0 }
    leaks = lifetimes.living
  }
}
