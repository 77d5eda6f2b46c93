import StreamImages
import Testing

@Suite("`HTTPTime`")
struct HTTPTimeTests {
  private static let now = 1_800_000_000

  @Test(
    "`HTTPTime` parses the three date forms of HTTP",
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func forms(_ text: String) {
    #expect(HTTPTime.seconds(text, now: Self.now) == 784_111_777)
  }

  @Test("A two-digit year is at most 50 years ahead")
  func shortYears() {
    // It is 2027.
    #expect(HTTPTime.seconds("Friday, 01-Jan-77 00:00:00 GMT", now: Self.now) == 3_376_684_800)
    #expect(HTTPTime.seconds("Sunday, 01-Jan-78 00:00:00 GMT", now: Self.now) == 252_460_800)
    #expect(HTTPTime.seconds("Saturday, 01-Jan-00 00:00:00 GMT", now: Self.now) == 946_684_800)
    #expect(HTTPTime.seconds("Friday, 01-Jan-99 00:00:00 GMT", now: Self.now) == 915_148_800)
  }

  @Test(
    "`HTTPTime` rejects every other text",
    arguments: [
      "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 6x Nov 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
      "Sun, 06 Nov 99999999999 08:49:37 GMT",
      "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT ",
      "Sun Nov 6 08:49:37 1994", "Sun Nov  06 08:49:37 1994", "Sun, Nov  6 08:49:37 1994",
      "Sunday, 06 Nov 94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT",
      "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 6-Nov-94 08:49:37 GMT", "S1n, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT",
      "Sun, 06 Nov 1994 8:49 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "a b c d e f", "a b c d e", "a b c GMT",
    ])
  func others(_ text: String) {
    #expect(HTTPTime.seconds(text, now: Self.now) == nil)
  }

  @Test("Each month has its last day and no more, and February a leap day every fourth year but three in 400")
  func months() {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for (year, leapDay) in [
      (1999, false), (2000, true), (2024, true), (2027, false), (2100, false), (2400, true),
    ] {
      var days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      if leapDay { days[1] = 29 }
      for (name, count) in zip(names, days) {
        #expect(HTTPTime.seconds("Sun, 00 \(name) \(year) 00:00:00 GMT", now: Self.now) == nil)
        #expect(HTTPTime.seconds("Sun, \(count) \(name) \(year) 00:00:00 GMT", now: Self.now) != nil)
        #expect(
          HTTPTime.seconds("Sun, \(count + 1) \(name) \(year) 00:00:00 GMT", now: Self.now) == nil,
          "\(name) \(year)")
      }
    }
  }

  @Test(
    "`HTTPTime` accepts each part of a time up to its last value",
    arguments: [
      ("06 Nov 1994 23:59:59", true), ("06 Nov 1994 24:00:00", false), ("06 Nov 1994 00:60:00", false),
      ("06 Nov 1994 00:00:60", true), ("06 Nov 1994 00:00:61", false), ("06 Nov 0000 00:00:00", false),
      ("06 Nov 0001 00:00:00", true), ("06 Nov 9999 00:00:00", true), ("06 Nov 10000 00:00:00", false),
      ("06 Nov 1994 00:00:00:00", false), ("06 Nov 1994 00000:00:00", false),
    ])
  func parts(_ text: String, _ isTime: Bool) {
    #expect((HTTPTime.seconds("Sun, \(text) GMT", now: Self.now) != nil) == isTime)
  }

  @Test(
    "Days are 86,400 seconds apart, also around 1900, 2000 and 2100", arguments: [-25_567, 10_957, 47_482])
  func days(_ turn: Int) {
    for day in turn - 800..<turn + 800 {
      let text = HTTPTime.text(day * 86_400 + 1)
      guard HTTPTime.seconds(text, now: Self.now) == day * 86_400 + 1 else {
        Issue.record("\(text)")
        return
      }
    }
  }

  @Test(
    "`HTTPTime` parses what it writes, including leap days",
    arguments: [0, 68_169_600, 951_782_400, 784_111_777, 4_102_444_799])
  func roundTrip(_ seconds: Int) {
    #expect(HTTPTime.seconds(HTTPTime.text(seconds), now: Self.now) == seconds)
  }

  @Test("`HTTPTime` writes the names of days and months")
  func text() {
    #expect(HTTPTime.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPTime.text(1_602_324_610) == "Sat, 10 Oct 2020 10:10:10 GMT")
    #expect(HTTPTime.text(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(HTTPTime.text(-1) == "Wed, 31 Dec 1969 23:59:59 GMT")
    #expect(HTTPTime.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }
}
