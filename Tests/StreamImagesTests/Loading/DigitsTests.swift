import StreamImages
import Testing

@Suite("Parsing digits")
struct DigitsTests {
  @Test(
    "A number is parsed from ASCII digits only",
    arguments: [
      ("0", 0), ("7", 7), ("007", 7), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
      ("99999999999999999999999", nil), ("184467440737095516160", nil), ("", nil), ("+1", nil), ("-1", nil),
      (" 1", nil), ("1 ", nil),
      ("1a", nil), ("1.0", nil), ("١", nil),
    ])
  func exact(_ row: (text: String, number: Int?)) {
    #expect(Int(digits: row.text.utf8) == row.number)
  }

  @Test(
    "A number above the maximum is clamped to it",
    arguments: [
      ("59", 59), ("60", 60), ("61", 60), ("99999999999999999999999", 60), ("18446744073709551616", 60),
      ("184467440737095516160", 60),
      ("", nil),
      ("-1", nil), ("9x", nil),
    ])
  func clamped(_ row: (text: String, number: Int?)) {
    #expect(Int(digits: row.text.utf8, clampedTo: 60) == row.number)
  }
}
