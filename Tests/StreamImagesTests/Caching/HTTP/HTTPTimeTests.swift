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
  }

  @Test(
    "`HTTPTime` rejects every other text",
    arguments: [
      "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, 6x Nov 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT",
      "Sun, 06 Nov 99999999999 08:49:37 GMT",
      "Sun, 06 Nov 1994 8:49 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "a b c d e f", "a b c d e", "a b c GMT",
    ])
  func others(_ text: String) {
    #expect(HTTPTime.seconds(text, now: Self.now) == nil)
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
    #expect(HTTPTime.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }
}
