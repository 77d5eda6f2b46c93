import CGLib
import Dispatch
import Streams
import StreamsFoundation
import StreamsGLib
import Testing

@Suite("A scheduler on a main loop of GLib")
struct SchedulerTests {
  private let loop = Loop()
  private var scheduler: GMainContextScheduler { loop.scheduler }

  @Test("runs actions in order, and none before the loop turns")
  func order() {
    var order: [Int] = []
    for number in 1...3 { scheduler.schedule { order.append(number) } }
    let early = order

    loop.turn()

    #expect(early == [])
    #expect(order == [1, 2, 3])
  }

  // Many times: a loop may begin within the microsecond in which something is scheduled.
  @Test("runs what an action schedules in the next turn, so that others have theirs")
  func turns() {
    let other = GMainContextScheduler(context: loop.context)
    for _ in 1...1_000 {
      var order: [String] = []
      scheduler.schedule {
        order.append("first")
        scheduler.schedule { order.append("third") }
      }
      other.schedule { order.append("second") }

      loop.turn()

      #expect(order == ["first", "second", "third"])
    }
  }

  @Test("runs actions at their times, the earliest first, also if all are late")
  func times() {
    var order: [Int] = []
    let start = scheduler.now
    for number in [3, 1, 2, 1] {
      scheduler.schedule(after: start.advanced(by: .microseconds(number * 100))) { order.append(number) }
    }
    while scheduler.now < start.advanced(by: .milliseconds(1)) {}

    loop.turn()

    #expect(order == [1, 1, 2, 3])
  }

  @Test("waits for a time, and is never early")
  func delay() {
    let due = scheduler.now.advanced(by: .milliseconds(3))
    var reached: DispatchQueue.SchedulerTimeType?
    scheduler.schedule(after: due) { reached = scheduler.now }

    loop.turn()
    let early = reached
    loop.run { reached != nil }

    #expect(early == nil)
    #expect(reached! >= due)
  }

  @Test("repeats in step, leaves out what it missed, and stops when it is cancelled")
  func repetition() {
    let start = scheduler.now
    let period = 2_000_000
    var steps: [Int] = []
    var repetition: (any Cancellable)?
    repetition = scheduler.schedule(after: start, interval: .nanoseconds(period)) {
      steps.append(start.distance(to: scheduler.now).magnitude / period)
      // Busy for more than two periods.
      while steps.count == 1, start.distance(to: scheduler.now).magnitude < 3 * period {}
      if steps.count == 4 { repetition?.cancel() }
    }

    loop.run { steps.count == 4 }
    var isOver = false
    scheduler.schedule(after: scheduler.now.advanced(by: .nanoseconds(2 * period))) { isOver = true }
    loop.run { isOver }

    #expect(steps.count == 4)
    #expect(steps[1] >= 3)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("lets go of an action when it has run, or is cancelled")
  func release() {
    final class Object {}
    var (once, repeated): (Object?, Object?) = (Object(), Object())
    weak let (first, second) = (once, repeated)
    scheduler.schedule { [once] in _ = once }
    let repetition = scheduler.schedule(after: scheduler.now, interval: 1) { [repeated] in _ = repeated }
    (once, repeated) = (nil, nil)

    loop.turn()
    let isKept = second != nil
    repetition.cancel()

    #expect(first == nil)
    #expect(isKept)
    #expect(second == nil)
  }

  @Test("lives as long as something waits in it")
  func lifetime() {
    var hasRun = false
    var scheduler: GMainContextScheduler? = GMainContextScheduler(context: loop.context)
    weak let reference = scheduler
    scheduler?.schedule { hasRun = true }
    scheduler = nil
    let isKept = reference != nil

    loop.turn()

    #expect(isKept)
    #expect(hasRun)
    #expect(reference == nil)
  }

  @Test("lets go of what waits when its context is freed")
  func context() {
    final class Object {}
    var object: Object? = Object()
    weak let reference = object
    var context: OpaquePointer? = g_main_context_new()
    let scheduler = GMainContextScheduler(context: context)
    scheduler.schedule { [object] in _ = object }
    object = nil

    g_main_context_unref(context)
    context = nil
    let isReleased = reference == nil
    scheduler.schedule {}

    #expect(isReleased)
  }

  @Test("releases what is scheduled when its context is freed already, and itself")
  func afterContext() {
    final class Object {}
    var object: Object? = Object()
    weak let reference = object
    let context = g_main_context_new()
    var scheduler: GMainContextScheduler? = GMainContextScheduler(context: context)
    weak let schedulerReference = scheduler
    g_main_context_unref(context)

    scheduler?.schedule { [object] in _ = object }
    (object, scheduler) = (nil, nil)

    #expect(reference == nil)
    #expect(schedulerReference == nil)
  }

  @Test("goes on with the next action in a nested loop")
  func nested() {
    var order: [String] = []
    scheduler.schedule {
      loop.turn()
      order.append("outer")
    }
    scheduler.schedule { order.append("inner") }

    loop.turn()

    #expect(order == ["inner", "outer"])
  }

  @Test("can be used from any thread, wakes the loop, and loses nothing")
  func threads() {
    let count = 20_000
    var received: [Int] = []
    var isOver = false
    let subject = PassthroughSubject<Int, Never>()
    let subscription = subject.receive(on: scheduler)
      .sink(receiveCompletion: { _ in isOver = true }, receiveValue: { received.append($0) })
    DispatchQueue.global().async {
      for number in 0..<count { subject.send(number) }
      subject.send(completion: .finished)
    }

    loop.run { isOver }

    #expect(received == Array(0..<count))
    subscription.cancel()
  }

  @Test("takes times beyond the end of time")
  func distant() {
    var hasRun = false
    scheduler.schedule(after: DispatchQueue.SchedulerTimeType(.distantFuture)) { hasRun = true }
    let repetition = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(.max)) {}
    scheduler.schedule(after: DispatchQueue.SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))) {}

    loop.turn()

    #expect(!hasRun)
    repetition.cancel()
  }
}
