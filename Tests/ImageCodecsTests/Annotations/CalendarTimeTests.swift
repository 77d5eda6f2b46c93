import ImageCodecs
import Testing

@Suite("Calendar times")
struct CalendarTimeTests {
  @Test("A time is counted in seconds since 1970, with its offset or an assumed one")
  func seconds() throws {
    let start = try #require(CalendarTime(year: 1970, month: 1, day: 1))
    #expect(start.secondsSince1970() == 0)
    #expect(start.secondsSince1970(assumingOffset: 60) == -3_600)

    let leap = try #require(
      CalendarTime(year: 2024, month: 2, day: 29, hour: 23, nanosecond: 500_000_000, offset: -90))
    #expect(leap.secondsSince1970(assumingOffset: 60) == 1_709_253_000.5)
  }

  @Test("Dates that do not exist are refused")
  func refused() {
    #expect(CalendarTime(year: 2023, month: 2, day: 29) == nil)
    #expect(CalendarTime(year: 1900, month: 2, day: 29) == nil)
    #expect(CalendarTime(year: 2000, month: 2, day: 29) != nil)
    #expect(CalendarTime(year: 2024, month: 4, day: 31) == nil)
    #expect(CalendarTime(year: 0, month: 1, day: 1) == nil)
    #expect(CalendarTime(year: 2024, month: 1, day: 1, hour: 24) == nil)
    #expect(CalendarTime(year: 2024, month: 1, day: 1, offset: 1_440) == nil)
  }

  @Test("The description is a date of ISO 8601")
  func description() {
    func text(_ nanosecond: Int, _ offset: Int?) -> String? {
      CalendarTime(
        year: 987, month: 6, day: 5, hour: 4, minute: 3, second: 2, nanosecond: nanosecond, offset: offset)?
        .description
    }

    #expect(text(0, nil) == "0987-06-05T04:03:02")
    #expect(text(250_000_000, 0) == "0987-06-05T04:03:02.25Z")
    #expect(text(1, -210) == "0987-06-05T04:03:02.000000001-03:30")
  }
}
