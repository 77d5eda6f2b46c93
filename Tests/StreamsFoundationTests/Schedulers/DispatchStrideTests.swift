import Dispatch
import Foundation
import StreamsFoundation
import Testing

private typealias Stride = DispatchQueue.SchedulerTimeType.Stride

@Suite("`DispatchQueue.SchedulerTimeType.Stride`")
struct DispatchStrideTests {
  @Test(
    "A dispatch stride stores its length in nanoseconds",
    arguments: [
      (.seconds(2), 2_000_000_000), (.milliseconds(2), 2_000_000), (.microseconds(2), 2_000),
      (.nanoseconds(2), 2), (.seconds(-2), -2_000_000_000), (.seconds(0.25), 250_000_000),
      (.seconds(-0.25), -250_000_000), (.seconds(1e-9), 1), (.seconds(0.4e-9), 0),
      (.seconds(0.29), 290_000_000),
      (2, 2_000_000_000), (0.5, 500_000_000), (-1.5, -1_500_000_000), (.zero, 0),
    ] as [(DispatchQueue.SchedulerTimeType.Stride, Int)])
  func units(stride: DispatchQueue.SchedulerTimeType.Stride, nanoseconds: Int) {
    #expect(stride.magnitude == nanoseconds)
    #expect(stride.timeInterval == .nanoseconds(nanoseconds))
  }

  @Test(
    "A dispatch stride is created from a `DispatchTimeInterval`",
    arguments: [
      (.seconds(3), 3_000_000_000), (.milliseconds(3), 3_000_000), (.microseconds(-3), -3_000),
      (.nanoseconds(3), 3), (.never, .max), (.seconds(.max), .max),
    ] as [(DispatchTimeInterval, Int)])
  func intervals(interval: DispatchTimeInterval, nanoseconds: Int) {
    #expect(Stride(interval).magnitude == nanoseconds)
  }

  @Test(
    "Dispatch stride arithmetic saturates instead of overflowing",
    arguments: [
      (.seconds(.max), .max), (.seconds(.min), .min), (.milliseconds(.max), .max),
      (.microseconds(.min), .min),
      (.seconds(1e300), .max), (.seconds(-1e300), .min), (.seconds(.infinity), .max),
      (.seconds(-.infinity), .min), (.seconds(.nan), 0),
      (.nanoseconds(.max) + .nanoseconds(1), .max), (.nanoseconds(.min) + .nanoseconds(-1), .min),
      (.nanoseconds(.min) - .nanoseconds(1), .min), (.nanoseconds(.max) - .nanoseconds(-1), .max),
      (.zero - .nanoseconds(.min), .max), (-.nanoseconds(.min), .max),
      (.nanoseconds(.max) * 2, .max), (.nanoseconds(.max) * -2, .min), (.nanoseconds(.min) * 2, .min),
      (.nanoseconds(.min) * -2, .max), (.nanoseconds(.max) * .nanoseconds(.max), .max),
      (.nanoseconds(.min) * .nanoseconds(.min), .max), (.nanoseconds(.min) * .nanoseconds(.max), .min),
      (.nanoseconds(1 << 62) * 2, .max), (.nanoseconds(-(1 << 62)) * 2, .min),
      (.nanoseconds(1 << 62 - 1) * 2, .max - 1), (.nanoseconds(.min + 2) * 1, .min + 2),
      (.nanoseconds(-(1 << 62) + 1) * 2, .min + 2),
      (.nanoseconds(.min + 1) * .nanoseconds(1_000_000_001), .min),
      (.nanoseconds(.max) * 1, .max), (.nanoseconds(.min) * 1, .min), (.nanoseconds(.min) * -1, .max),
    ] as [(DispatchQueue.SchedulerTimeType.Stride, Int)])
  func clamping(stride: DispatchQueue.SchedulerTimeType.Stride, nanoseconds: Int) {
    #expect(stride.magnitude == nanoseconds)
  }

  @Test(
    "Dispatch strides are added, subtracted, negated and multiplied in seconds",
    arguments: [
      (1 + .milliseconds(500), 1.5), (1 - .milliseconds(1500), -0.5), (-2, .seconds(-2)), (2 * 3, 6),
      (0.5 * 0.5, 0.25), (.milliseconds(20) * 3, .milliseconds(60)),
      (.milliseconds(20) * -3, .milliseconds(-60)),
      (-4 * -0.25, 1), (7 * .zero, .zero),
    ] as [(DispatchQueue.SchedulerTimeType.Stride, DispatchQueue.SchedulerTimeType.Stride)])
  func arithmetic(
    result: DispatchQueue.SchedulerTimeType.Stride, expected: DispatchQueue.SchedulerTimeType.Stride
  ) {
    #expect(result == expected)
  }

  @Test("Dispatch strides are mutable in place")
  func inPlace() {
    var stride: Stride = 2

    stride += 1
    stride *= 4
    stride -= 2.5
    stride.negate()

    #expect(stride == -9.5)
  }

  @Test("Dispatch strides are ordered, hashed and compared by length")
  func order() {
    let strides: [Stride] = [1, -1, .milliseconds(1), .zero, .nanoseconds(-1)]

    let sorted = strides.sorted()

    #expect(sorted == [-1, .nanoseconds(-1), .zero, .milliseconds(1), 1])
    #expect(Set<Stride>([1, .seconds(1), .milliseconds(1000)]).count == 1)
  }

  @Test("A dispatch stride is created exactly from an integer number of seconds")
  func exactly() {
    #expect(Stride(exactly: 2) == 2)
    #expect(Stride(exactly: Int8(-12)) == -12)
    #expect(Stride(exactly: Int.max)?.magnitude == .max)
    #expect(Stride(exactly: UInt64.max) == nil)
  }

  @Test("A dispatch stride survives encoding", arguments: [0, 1, -1, .max, .min] as [Int])
  func coding(nanoseconds: Int) throws {
    let stride = Stride.nanoseconds(nanoseconds)

    let data = try JSONEncoder().encode(stride)

    #expect(String(decoding: data, as: UTF8.self) == #"{"_nanoseconds":\#(nanoseconds)}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: data) == stride)
  }
}
