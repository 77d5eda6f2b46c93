import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("An event loop as a scheduler")
struct SchedulerTests {
  private let loop = EmbeddedEventLoop()
  private var scheduler: EventLoopScheduler { loop.scheduler }

  @Test("An action never runs inside the call that schedules it, also on the event loop itself")
  func neverInline() {
    let journal = Journal()

    scheduler.schedule {
      journal.note("begins")
      scheduler.schedule { journal.note("inner") }
      journal.note("ends")
    }
    #expect(journal.lines == [])
    loop.run()

    #expect(journal.lines == ["begins", "ends", "inner"])
  }

  @Test("Actions run in the order of their dates, and those for one date in the order of their calls")
  func order() {
    let journal = Journal()

    for (name, delay) in [("c", 2), ("a", 1), ("d", 2), ("b", 1)] {
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(delay))) { journal.note(name) }
    }
    loop.advanceTime(by: .seconds(2))

    #expect(journal.lines == ["a", "b", "c", "d"])
  }

  @Test("An action runs at its date, and not a nanosecond earlier")
  func date() {
    let journal = Journal()

    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { journal.note("runs") }
    loop.advanceTime(by: .nanoseconds(999_999_999))
    #expect(journal.lines == [])
    loop.advanceTime(by: .nanoseconds(1))

    #expect(journal.lines == ["runs"])
  }

  @Test("A repetition keeps its dates, and stops when it is cancelled inside a run")
  func repetition() {
    let journal = Journal()
    let start = scheduler.now
    var repetition: (any Cancellable)?

    repetition = scheduler.schedule(after: start.advanced(by: 1), interval: .seconds(3)) { [scheduler] in
      journal.note("\(start.distance(to: scheduler.now).nanoseconds / 1_000_000_000)")
      if journal.lines.count == 3 { repetition?.cancel() }
    }
    loop.advanceTime(by: .seconds(60))

    #expect(journal.lines == ["1", "4", "7"])
  }

  @Test("A repetition that is cancelled releases its action at once")
  func releases() {
    weak var object: Held?
    let repetition: any Cancellable
    do {
      let held = Held()
      object = held
      repetition = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { held.touch() }
    }
    loop.run()
    #expect(object != nil)

    repetition.cancel()

    #expect(object == nil)
  }

  @Test("`debounce` and `delay` run in the virtual time of an embedded event loop")
  func virtualTime() {
    let words = PassthroughSubject<String, Never>()
    let settled = words.debounce(for: .milliseconds(300), scheduler: scheduler)
      .delay(for: .seconds(1), scheduler: scheduler).record()

    words.send("s")
    loop.advanceTime(by: .milliseconds(299))
    words.send("st")
    loop.advanceTime(by: .milliseconds(1299))
    #expect(settled.values == [])
    loop.advanceTime(by: .milliseconds(1))

    #expect(settled.values == ["st"])
  }

  @Test("Lengths and dates beyond what nanoseconds can express are clamped")
  func clamping() {
    typealias Stride = EventLoopScheduler.SchedulerTimeType.Stride
    let far = EventLoopScheduler.SchedulerTimeType(.distantFuture)

    #expect(Stride.seconds(Int.max).nanoseconds == .max)
    #expect(Stride.seconds(-1e300).nanoseconds == .min)
    #expect(Stride.seconds(.nan) == 0)
    #expect(far.advanced(by: 1) == far)
    #expect(far.advanced(by: .seconds(Int.min)).deadline == .uptimeNanoseconds(0))
    #expect(Stride(nanoseconds: .min).magnitude.nanoseconds == .max)
  }
}

/// An object whose end shows that a closure was released.
final class Held: Sendable {
  func touch() {}
}
