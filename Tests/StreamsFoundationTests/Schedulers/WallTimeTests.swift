import Foundation
import StreamsFoundation
import Testing

private typealias Time = RunLoop.SchedulerTimeType
private typealias Stride = RunLoop.SchedulerTimeType.Stride

@Suite("Run loop and operation queue time")
struct WallTimeTests {
  @Test(
    "A wall-clock stride stores its length in seconds",
    arguments: [
      (.seconds(2), 2), (.milliseconds(2), 0.002), (.microseconds(2), 0.000_002),
      (.nanoseconds(2), 0.000_000_002),
      (.seconds(0.25), 0.25), (2, 2), (0.5, 0.5), (-1.5, -1.5), (.zero, 0), (1 + .milliseconds(500), 1.5),
      (1 - .milliseconds(1500), -0.5), (2 * 3, 6), (0.5 * 0.5, 0.25), (-.seconds(2), -2),
    ] as [(RunLoop.SchedulerTimeType.Stride, TimeInterval)])
  func units(stride: RunLoop.SchedulerTimeType.Stride, seconds: TimeInterval) {
    #expect(stride.magnitude == seconds)
    #expect(stride.timeInterval == seconds)
    #expect(stride == Stride(seconds))
  }

  @Test("Wall-clock strides are mutable, ordered and hashed")
  func inPlace() {
    var stride: Stride = 2

    stride += 1
    stride *= 4
    stride -= 2.5
    stride.negate()

    #expect(stride == -9.5)
    #expect([1, -1, 0.5].sorted() == [-1, 0.5, 1] as [Stride])
    #expect(Set<Stride>([1, .milliseconds(1000)]).count == 1)
  }

  @Test("A wall-clock stride is created only from exact numbers of seconds")
  func exactly() {
    #expect(Stride(exactly: 12)?.magnitude == 12)
    #expect(Stride(exactly: (1 << 60) + 1) == nil)
  }

  @Test(
    "A wall-clock time advances by a stride and returns the distance",
    arguments: [0, 1, -1, 0.25, 1e6] as [TimeInterval])
  func moving(seconds: TimeInterval) {
    let start = Time(Date(timeIntervalSinceReferenceDate: 1000))

    let end = start.advanced(by: Stride(seconds))

    #expect(end.date == Date(timeIntervalSinceReferenceDate: 1000 + seconds))
    #expect(start.distance(to: end) == Stride(seconds))
    #expect((start < end) == (seconds > 0))
  }

  @Test("Wall-clock times and strides survive encoding with named keys")
  func coding() throws {
    let time = Time(Date(timeIntervalSinceReferenceDate: 12.5))

    let data = try JSONEncoder().encode(time)
    let strideData = try JSONEncoder().encode(0.5 as Stride)

    #expect(String(decoding: data, as: UTF8.self) == #"{"date":12.5}"#)
    #expect(String(decoding: strideData, as: UTF8.self) == #"{"magnitude":0.5}"#)
    #expect(try JSONDecoder().decode(Time.self, from: data) == time)
    #expect(try JSONDecoder().decode(Stride.self, from: strideData) == 0.5)
  }

  @Test("The time types of run loops and operation queues can be extended separately")
  func extensions() {
    let now = Date()

    #expect(RunLoop.SchedulerTimeType(now).owner == "a run loop")
    #expect(OperationQueue.SchedulerTimeType(now).owner == "an operation queue")
    #expect((1 as RunLoop.SchedulerTimeType.Stride).owner == "a run loop")
    #expect((1 as OperationQueue.SchedulerTimeType.Stride).owner == "an operation queue")
    #expect(OperationQueue.SchedulerTimeType.Stride.minutes(2) == .seconds(120))
  }

  @Test("Run loops and operation queues return the present date in separate types")
  func owners() {
    let before = Date()

    let loop = RunLoop.current.now
    let queue = OperationQueue().now

    #expect(before <= loop.date && loop.date <= queue.date && queue.date <= Date())
    #expect(type(of: loop) != type(of: queue) as Any.Type)
    #expect(RunLoop.current.minimumTolerance == 0 && OperationQueue().minimumTolerance == 0)
  }
}

private protocol Owned { var owner: String { get } }

extension RunLoop.SchedulerTimeType: Owned { fileprivate var owner: String { "a run loop" } }
extension RunLoop.SchedulerTimeType.Stride: Owned { fileprivate var owner: String { "a run loop" } }
extension OperationQueue.SchedulerTimeType: Owned { fileprivate var owner: String { "an operation queue" } }
extension OperationQueue.SchedulerTimeType.Stride: Owned {
  fileprivate var owner: String { "an operation queue" }
  fileprivate static func minutes(_ minutes: Double) -> Self { .seconds(minutes * 60) }
}
