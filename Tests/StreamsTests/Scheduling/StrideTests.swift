import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite("Strides of schedulers", .leavesNothing)
struct StrideTests {
  /// A kind of stride: each has the same arithmetic, in seconds.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case clock, mainActor, virtual

    var testDescription: String { rawValue }

    func check(_ table: StrideTable) -> [String] {
      switch self {
      case .clock: table.failures(ClockStride.self)
      case .mainActor: table.failures(MainActorScheduler.SchedulerTimeType.Stride.self)
      case .virtual: table.failures(VirtualTime.Stride.self)
      }
    }
  }

  @Test(
    "Strides are added, subtracted, multiplied, negated and compared in seconds", arguments: Kind.allCases)
  func arithmetic(kind: Kind) { #expect(kind.check(.arithmetic) == []) }

  @Test(
    "A stride that is not a number is zero, and one that is too long is the longest", arguments: Kind.allCases
  )
  func limits(kind: Kind) { #expect(kind.check(.limits) == []) }

  @Test("A date in the far future is never reached, and does not trap, on a `TaskScheduler`")
  func farFuture() {
    let scheduler = TaskScheduler()
    let far = scheduler.now.advanced(by: .seconds(.infinity)).advanced(by: .seconds(.max))
    let near = scheduler.now.advanced(by: .seconds(-.infinity))

    let job = scheduler.schedule(after: far, interval: .seconds(.infinity)) {}
    let values = Empty<Int, Never>(completeImmediately: false).timeout(
      .seconds(.infinity), scheduler: scheduler
    )
    .record()

    #expect(near < scheduler.now && scheduler.now < far)
    #expect(values.events == [.subscription])
    job.cancel()
  }
}

/// What holds for strides of any kind.
enum StrideTable {
  case arithmetic, limits

  func failures<Stride: SchedulerTimeIntervalConvertible & Comparable & SignedNumeric>(
    _: Stride.Type
  ) -> [String] {
    let (two, three) = (Stride.seconds(2), Stride.seconds(3))
    var mutable = three
    let rows: [(String, Bool)]
    switch self {
    case .arithmetic:
      mutable += two
      mutable *= two
      mutable -= three
      rows = [
        ("3 + 2", three + two == .seconds(5)), ("3 - 2", three - two == .seconds(1)),
        ("2 - 3", two - three == .seconds(-1)), ("3 * 2", three * two == .seconds(6)),
        ("in place", mutable == .seconds(7)), ("-3", -three == .seconds(-3)),
        ("-3 * 2", -three * two == .seconds(-6)),
        ("2 < 3", two < three), ("3 < 2", !(three < two)), ("3 < 3", !(three < three)),
        ("-3 < 2", -three < two), ("0.5 s", .milliseconds(500) == Stride.seconds(0.5)),
        ("1 ms", .microseconds(1000) == Stride.milliseconds(1)),
        ("1 µs", .nanoseconds(1000) == Stride.microseconds(1)), ("literal", Stride.seconds(3) == 3),
        ("1.5 * 2.5", Stride.milliseconds(1500) * .milliseconds(2500) == .milliseconds(3750)),
        ("nanoseconds", .nanoseconds(1) > Stride.seconds(0) && .nanoseconds(-1) < Stride.seconds(0)),
      ]
    case .limits:
      let longest = Stride.seconds(.infinity)
      rows = [
        ("not a number", Stride.seconds(.nan) == .seconds(0)), ("infinity", longest > .seconds(1 << 32)),
        ("minus infinity", Stride.seconds(-.infinity) < .seconds(-1 << 32)),
        ("1e300 s", Stride.seconds(1e300) == longest), ("Int.max s", Stride.seconds(.max) == longest),
        ("Int.min s", Stride.seconds(.min) == .seconds(-.infinity)),
        ("a sum", longest + longest == longest), ("a product", longest * longest == longest),
        ("a difference", -longest - longest == .seconds(-.infinity)),
        ("a negative product", longest * -three == .seconds(-.infinity)),
        ("minus the shortest", Stride.zero - .nanoseconds(.min) == longest),
        ("a negative sum", -longest + -longest == .seconds(-.infinity)),
      ]
    }
    return rows.filter { !$0.1 }.map(\.0)
  }
}
