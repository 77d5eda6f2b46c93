import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Scheduler of a clock", .leavesNothing)
struct ClockSchedulerTests {
  /// An interval, how long an action takes, and when it runs four times, in nanoseconds after the first date.
  static let rows: [(Duration, Duration, [Int64])] = [
    (.seconds(1), .zero, [0, 1_000_000_000, 2_000_000_000, 3_000_000_000]),
    (.seconds(1), .seconds(1), [0, 1_000_000_000, 2_000_000_000, 3_000_000_000]),
    (.seconds(1), .milliseconds(2_500), [0, 3_000_000_000, 6_000_000_000, 9_000_000_000]),
    (.milliseconds(1), .milliseconds(5), [0, 1_000_000, 2_000_000, 3_000_000]),
    (.nanoseconds(1_000_001), .milliseconds(5), [0, 5_000_005, 10_000_010, 15_000_015]),
    (.nanoseconds(999_999), .milliseconds(5), [0, 999_999, 1_999_998, 2_999_997]),
    (.milliseconds(16), .seconds(3_600), [0, 3_600_000_000_000, 7_200_000_000_000, 10_800_000_000_000]),
    (.nanoseconds(16_000_001), .seconds(160), [0, 160_000_010_000, 320_000_020_000, 480_000_030_000]),
    (.zero, .zero, [0, 1, 2, 3]), (.seconds(-5), .zero, [0, 1, 2, 3]),
  ]

  @Test(
    "A repeated action skips the dates that pass while it runs if its interval is more than a millisecond",
    arguments: rows.indices)
  func dates(row: Int) async {
    let (interval, length, expected) = Self.rows[row]
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let clock = LeapingClock { clock, number in
      guard number == expected.count else { return }
      clock.onNextLook { end.yield() }
      clock.token.withLock { $0 }?.cancel()
    }
    let scheduler = ClockScheduler(clock: clock)
    let runs = Guarded(0)
    let first = clock.origin.advanced(by: .seconds(10))

    clock.start(
      scheduler.schedule(
        after: .init(first), interval: ClockStride(interval), tolerance: .seconds(3)
      ) {
        runs.withLock { $0 += 1 }
        clock.advance(by: length)
      })
    for await _ in ends { break }

    #expect(clock.sleeps.map(\.deadline) == expected.map { first.advanced(by: .nanoseconds($0)) })
    #expect(Set(clock.sleeps.map(\.tolerance)) == [.seconds(3)])
    // However many dates are skipped.
    #expect(clock.lookCount < 2 * expected.count)
    // It was cancelled before the last date.
    #expect(runs.withLock { $0 } == expected.count - 1)
  }

  @Test("An action that is scheduled for a date runs once, after a sleep until then")
  func once() async {
    let clock = LeapingClock { _, _ in }
    clock.start(AnyCancellable {})
    let scheduler = ClockScheduler(clock: clock)
    let (ends, end) = AsyncStream.makeStream(of: Duration.self)
    let date = scheduler.now.advanced(by: .seconds(7))

    scheduler.schedule(after: date, tolerance: .milliseconds(20)) {
      end.yield(clock.origin.duration(to: clock.now))
    }
    let time = await ends.first { _ in true }

    #expect(time == .seconds(7))
    #expect(clock.sleeps.map(\.deadline) == [date.instant])
    #expect(clock.sleeps.map(\.tolerance) == [.milliseconds(20)])
    #expect(scheduler.minimumTolerance == .zero)
  }

  @Test("The actions of a `TaskScheduler` run one at a time and in order, however many there are")
  func oneAtATime() async {
    let scheduler = TaskScheduler()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let log = Guarded((inside: 0, most: 0, numbers: [Int]()))

    for number in 0..<1_000 {
      scheduler.schedule {
        log.withLock { log in
          log.inside += 1
          log.most = max(log.most, log.inside)
          log.numbers.append(number)
        }
        sched_yield()
        log.withLock { $0.inside -= 1 }
        if number == 999 { end.yield() }
      }
    }
    for await _ in ends { break }

    #expect(log.withLock { $0.most } == 1)
    #expect(log.withLock { $0.numbers } == Array(0..<1_000))
  }

  @Test("An action that a `TaskScheduler` receives when the others have run is run as well")
  func again() async {
    let scheduler = TaskScheduler()
    for number in 0..<3 {
      let (ends, end) = AsyncStream.makeStream(of: Int.self)
      scheduler.schedule { end.yield(number) }

      #expect(await ends.first { _ in true } == number)
    }
  }

  @Test("The stride of a clock has the length of its duration, and a product has fractions of a second")
  func strides() {
    let longest = Duration.nanoseconds(Int64.max)

    #expect(ClockStride.milliseconds(1_500) * .milliseconds(2_500) == .milliseconds(3_750))
    #expect(ClockStride.milliseconds(-1_500) * .milliseconds(2_500) == .milliseconds(-3_750))
    #expect(ClockStride(.seconds(-3)).magnitude == .seconds(3))
    #expect(ClockStride(.seconds(3)).magnitude == .seconds(3))
    #expect(ClockStride.zero.magnitude == .zero && ClockStride.zero.duration == .zero)
    #expect(ClockStride.seconds(1.25).duration == .milliseconds(1_250))
    #expect(ClockStride.seconds(-1.25).duration == .milliseconds(-1_250))
    #expect(ClockStride.seconds(0.0) == .zero)
    #expect(ClockStride(longest).duration == longest)
    #expect(ClockStride(longest + .nanoseconds(1)).duration == longest)
    #expect(ClockStride(.zero - longest - .nanoseconds(1)).duration == .zero - longest)
    #expect(ClockStride.seconds(9.3e9).duration == longest)
    #expect(ClockStride.seconds(-9.3e9).duration == .zero - longest)
    #expect(ClockStride.seconds(9.2e9).duration == .seconds(9_200_000_000))
    #expect(ClockStride(exactly: 4) == .seconds(4))
    #expect(ClockStride(exactly: UInt64.max) == nil)
  }

  @Test("A product of strides of a clock is exact, and clamped like any other stride")
  func products() {
    let longest = ClockStride(.nanoseconds(Int64.max))

    #expect(ClockStride.milliseconds(100) * 3 == .milliseconds(300))
    #expect(3 * ClockStride.milliseconds(-100) == .milliseconds(-300))
    #expect(longest * 1 == longest && 1 * longest == longest)
    #expect(ClockStride.nanoseconds(3) * .milliseconds(500) == ClockStride(.nanoseconds(3) / 2))
    #expect(ClockStride(.nanoseconds(1) / 4) * 8 == .nanoseconds(2))
    #expect(longest * longest == longest)
    #expect((ClockStride.zero - longest) * longest == .zero - longest)
  }
}

/// A clock on which time passes at once: a sleep moves it to its end.
private final class LeapingClock: Clock {
  typealias Duration = Swift.Duration
  typealias Instant = ContinuousClock.Instant

  struct Sleep {
    let deadline: Instant
    let tolerance: Duration?
  }

  private struct State {
    var now: Instant
    var sleeps: [Sleep] = []
    var lookCount = 0
    var onLook: (@Sendable () -> Void)?
  }

  let origin = ContinuousClock.now
  /// What repeats an action on this clock.
  let token = Guarded<(any Cancellable)?>(nil)
  private let state: Guarded<State>
  private let starts = AsyncStream.makeStream(of: Void.self)
  private let onSleep: @Sendable (LeapingClock, Int) -> Void

  /// - Parameter onSleep: Called in each sleep with its number, counted from one.
  init(onSleep: @escaping @Sendable (LeapingClock, Int) -> Void) {
    self.onSleep = onSleep
    state = Guarded(State(now: origin))
  }

  var minimumResolution: Duration { .zero }
  var sleeps: [Sleep] { state.withLock { $0.sleeps } }
  /// How often the time was read.
  var lookCount: Int { state.withLock { $0.lookCount } }

  var now: Instant {
    let (now, onLook) = state.withLock { state in
      defer { state.onLook = nil }
      state.lookCount += 1
      return (state.now, state.onLook)
    }
    onLook?()
    return now
  }

  /// Lets the first sleep end.
  func start(_ token: any Cancellable) {
    self.token.withLock { $0 = token }
    starts.continuation.finish()
  }

  func advance(by duration: Duration) { state.withLock { $0.now = $0.now.advanced(by: duration) } }

  func onNextLook(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onLook = body } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.sleeps.append(Sleep(deadline: deadline, tolerance: tolerance))
      return state.sleeps.count
    }
    if number == 1 { for await _ in starts.stream {} }
    state.withLock { $0.now = max($0.now, deadline) }
    onSleep(self, number)
  }
}
