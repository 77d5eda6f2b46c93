import Dispatch
import Foundation
import StreamsFoundation
import Testing

private typealias Time = DispatchQueue.SchedulerTimeType

private func time(_ nanoseconds: UInt64) -> Time { Time(DispatchTime(uptimeNanoseconds: nanoseconds)) }

@Suite("`DispatchQueue.SchedulerTimeType`")
struct DispatchTimeTests {
  @Test(
    "A dispatch time advances by a stride and returns the distance",
    arguments: [0, 1, -1, 999, -1000, 1 << 40] as [Int])
  func stride(nanoseconds: Int) {
    let start = time(1 << 41)

    let end = start.advanced(by: .nanoseconds(nanoseconds))

    #expect(Int64(end.dispatchTime.uptimeNanoseconds) == 1 << 41 + Int64(nanoseconds))
    #expect(start.distance(to: end) == .nanoseconds(nanoseconds))
    #expect(end.distance(to: start) == .nanoseconds(-nanoseconds))
    #expect((start < end) == (nanoseconds > 0))
  }

  @Test("Dispatch times are clamped to the first and the last representable time")
  func bounds() {
    let future = Time(.distantFuture)
    let soon = time(1000)

    #expect(soon.advanced(by: .nanoseconds(.max)) == future)
    #expect(soon.advanced(by: .nanoseconds(1 << 62)) == future)
    #expect(soon.advanced(by: soon.distance(to: future)) == future)
    #expect(future.advanced(by: -1) == future)
    #expect(future.advanced(by: .nanoseconds(.max)) == future)
    #expect(soon.distance(to: future).magnitude == .max)
    #expect(future.distance(to: soon).magnitude == .max)
    #expect(future.distance(to: future) == .zero)
    #expect(soon.distance(to: time(UInt64(Int.max))).magnitude == .max - 1000)
    #expect(time(UInt64(Int.max)).distance(to: soon).magnitude == -(.max - 1000))
    #expect(!(future < soon) && soon < future)
    #expect(soon.advanced(by: .nanoseconds(.min)).dispatchTime.uptimeNanoseconds == 1)
    #expect(time(1).advanced(by: .nanoseconds(-1)).dispatchTime.uptimeNanoseconds == 1)
  }

  @Test("The last dispatch time before the distant future is reached, left and decoded exactly")
  func last() throws {
    let future = Time(.distantFuture)
    let last = time(1 << 62 - 1)

    #expect(last < future)
    #expect(time(1 << 62 - 2).advanced(by: .nanoseconds(1)) == last)
    #expect(last.advanced(by: .nanoseconds(1)) == future)
    #expect(last.advanced(by: .zero) == last)
    #expect(last.advanced(by: .nanoseconds(-1)) == time(1 << 62 - 2))
    #expect(try decoded(1 << 62 - 1) == last)
    #expect(try decoded(1 << 62) == future)
  }

  @Test("The dispatch time of zero nanoseconds has none before it")
  func zero() throws {
    let zero = try decoded(0)

    #expect(zero.advanced(by: .zero) == zero)
    #expect(zero.advanced(by: -1) == zero)
    #expect(zero.advanced(by: .nanoseconds(1)) == time(1))
    #expect(time(2).advanced(by: .nanoseconds(-1)) == time(1))
  }

  private func decoded(_ nanoseconds: UInt64) throws -> Time {
    try JSONDecoder().decode([Time].self, from: Data("[\(nanoseconds)]".utf8))[0]
  }

  @Test("A dispatch time is encoded as its nanoseconds", arguments: [1, 123_456_789, 1 << 61] as [UInt64])
  func coding(nanoseconds: UInt64) throws {
    let data = try JSONEncoder().encode([time(nanoseconds)])

    #expect(String(decoding: data, as: UTF8.self) == "[\(nanoseconds)]")
    #expect(try JSONDecoder().decode([Time].self, from: data) == [time(nanoseconds)])
  }

  @Test("The distant future survives encoding, and numbers beyond it decode as the distant future")
  func distantFuture() throws {
    let data = try JSONEncoder().encode([Time(.distantFuture)])

    #expect(try JSONDecoder().decode([Time].self, from: data) == [Time(.distantFuture)])
    #expect(
      try JSONDecoder().decode([Time].self, from: Data("[9223372036854775809]".utf8)) == [
        Time(.distantFuture)
      ])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Time].self, from: Data("[-1]".utf8)) }
  }

  @Test("Dispatch times are hashed and compared by their nanoseconds")
  func hashing() {
    #expect(Set([time(5), time(5), time(6)]).count == 2)
    #expect(time(5) == time(5))
  }

  @Test("The current time of a dispatch queue is the uptime")
  func now() {
    let before = DispatchTime.now()

    let now = DispatchQueue.main.now

    #expect(before <= now.dispatchTime && now.dispatchTime <= .now())
    #expect(DispatchQueue.main.minimumTolerance == .zero)
  }
}
