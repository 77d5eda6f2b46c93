import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("`ImmediateScheduler`")
struct ImmediateSchedulerTests {
  private typealias Time = ImmediateScheduler.SchedulerTimeType

  @Test("`ImmediateScheduler` runs every action immediately, once, whatever its date")
  func immediate() {
    let scheduler = ImmediateScheduler.shared
    let journal = Journal()

    scheduler.schedule { journal.note("now") }
    scheduler.schedule(after: scheduler.now.advanced(by: 1000)) { journal.note("after") }
    scheduler.schedule(after: scheduler.now, tolerance: 5) { journal.note("tolerantly") }
    scheduler.schedule(after: scheduler.now, interval: 1) { journal.note("every") }.cancel()
    scheduler.schedule(after: scheduler.now, interval: 1, tolerance: 1) {
      journal.note("tolerantly every")
    }.cancel()

    #expect(journal.lines == ["now", "after", "tolerantly", "every", "tolerantly every"])
  }

  @Test("The time of `ImmediateScheduler` never advances")
  func time() {
    let now = ImmediateScheduler.shared.now

    #expect(now.advanced(by: 5) == now)
    #expect(now.distance(to: now.advanced(by: 5)) == 0)
    #expect(ImmediateScheduler.shared.minimumTolerance == 0)
  }

  @Test("Strides of `ImmediateScheduler` support arithmetic, and every unit of time is zero")
  func strides() throws {
    let stride: Time.Stride = 3
    var changed = stride
    changed += 4
    changed -= 1
    changed *= 2
    let units = [
      Time.Stride.seconds(1), .seconds(0.5), .milliseconds(1), .microseconds(1), .nanoseconds(1),
    ]
    let decoded = try JSONDecoder().decode(Time.Stride.self, from: JSONEncoder().encode(stride))

    #expect(changed == 12)
    #expect(Time.Stride(floatLiteral: 2.5).magnitude == 2)
    #expect(Time.Stride(exactly: UInt.max) == nil)
    #expect(stride < 4)
    #expect(!(stride < 3))
    #expect(!(stride < 2))
    #expect(units == [0, 0, 0, 0, 0])
    #expect(decoded == stride)
  }
}

@Suite("`Scheduler`: default arguments")
struct SchedulerTests {
  @Test("A scheduler runs actions that are scheduled without a tolerance or options")
  func conveniences() {
    let scheduler = VirtualScheduler.virtual
    let journal = Journal()

    scheduler.schedule { journal.note("soon, at \(scheduler.now)") }
    scheduler.schedule(after: VirtualTime(2)) { journal.note("after 2, at \(scheduler.now)") }
    scheduler.schedule(after: VirtualTime(1), tolerance: 1) { journal.note("after 1, at \(scheduler.now)") }
    let every = scheduler.schedule(after: VirtualTime(3), interval: 1) {
      journal.note("each 1, at \(scheduler.now)")
    }
    scheduler.advance(by: 4)
    every.cancel()
    scheduler.advance(by: 4)

    #expect(
      journal.lines == [
        "soon, at 0.0 s", "after 1, at 1.0 s", "after 2, at 2.0 s", "each 1, at 3.0 s", "each 1, at 4.0 s",
      ])
  }
}
