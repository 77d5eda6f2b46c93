import Foundation
import LoopbackServer
import Testing

@Suite struct HTTPDateTests {
  @Test(
    "`HTTPDate` writes and parses dates",
    arguments: [
      (784_111_777.0, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ])
  func both(seconds: Double, text: String) {
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
    #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    "`HTTPDate` rejects dates in other forms",
    arguments: [
      "", "0", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 9223372036854775807 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 9223372036854775807 08:49:37 GMT",
      "Sun, 06 Nov 1994 9223372036854775807:49:37 GMT",
    ])
  func others(text: String) {
    #expect(HTTPDate.date(text) == nil)
  }
}
