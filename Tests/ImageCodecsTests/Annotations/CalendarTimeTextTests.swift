import ImageCodecs
import Testing

@Suite("Texts and bounds of calendar times")
struct CalendarTimeTextTests {
  /// When a photograph was taken whose Exif data has these texts.
  private func taken(_ text: String, fraction: String? = nil, offset: String? = nil) -> String? {
    var file = ExifFile()
    file.photo = [file.text(0x9003, text)]
    if let offset { file.photo.append(file.text(0x9011, offset)) }
    if let fraction { file.photo.append(file.text(0x9291, fraction)) }
    var metadata = ImageMetadata()
    metadata.exif = ExifData(bytes: file.bytes)
    return metadata.taken?.description
  }

  @Test("A text with an optional time, fraction and zone is read, and a damaged one is not")
  func texts() {
    let readings: [(text: String, expected: String?)] = [
      ("2024:05:01 12:30:15", "2024-05-01T12:30:15"), ("1999-09-19T19:39:59", "1999-09-19T19:39:59"),
      ("2024:05-01 12:30:15", "2024-05-01T12:30:15"), (" 2024:05:01 12:30:15 ", "2024-05-01T12:30:15"),
      ("2024:05:01", "2024-05-01T00:00:00"), ("2024:05:01 12:30", "2024-05-01T12:30:00"),
      ("2024:05:01x12:30", "2024-05-01T00:00:00"), ("2024:05:01 12:30.5", "2024-05-01T12:30:00.5"),
      ("2024:05:01 12:30:15.25", "2024-05-01T12:30:15.25"), ("2024:05:01 12:30Z", "2024-05-01T12:30:00Z"),
      ("2024:05:01 12:30:15.25+02:00", "2024-05-01T12:30:15.25+02:00"),
      ("2024:05:01 12:30:15-0330", "2024-05-01T12:30:15-03:30"),
      ("2024:05:01 12:30:15.25½+02:00", "2024-05-01T12:30:15.25+02:00"),
      ("", nil), ("202:05:01", nil), ("+024:05:01", nil), ("2024/05/01", nil), ("2024:05/01", nil),
      ("2024:5:01", nil), ("2024:05:1", nil), ("2024:05:01 12", nil), ("2024:05:01 12-30", nil),
      ("2024:05:01 1:30", nil), ("2024:05:01 12:3", nil), ("2024:05:01 12:30:", nil),
      ("2024:05:01 12:30:1", nil), ("2024:13:01", nil), ("２024:05:01", nil),
    ]
    for (text, expected) in readings { #expect(taken(text) == expected, "\(text)") }
  }

  @Test("A fraction of a second is its first nine digits")
  func fractions() {
    for (fraction, expected) in [
      ("25", ".25"), ("0", ""), ("000000001", ".000000001"), ("1234567891", ".123456789"), ("5x9", ".5"),
      ("x5", ""),
      ("５", ""), ("999999999", ".999999999"), ("5½", ".5"),
    ] {
      #expect(
        taken("2024:05:01 00:00:09", fraction: fraction) == "2024-05-01T00:00:09\(expected)", "\(fraction)")
    }
    // That in the text takes precedence.
    #expect(taken("2024:05:01 00:00:09.5", fraction: "25") == "2024-05-01T00:00:09.5")
  }

  @Test("A zone is a sign and four digits, or Z, and one that is damaged is none")
  func zones() {
    for (zone, expected) in [
      ("Z", "Z"), (" Z ", "Z"), ("+00:00", "Z"), ("-00:00", "Z"), ("+01:30", "+01:30"), ("-0101", "-01:01"),
      ("+23:59", "+23:59"), ("-23:59", "-23:59"), ("z", ""), ("01:30", ""), ("*0130", ""), ("+130", ""),
      ("+01300", ""),
      ("+-130", ""), ("+0x30", ""), ("   ", ""), ("-0:1:00", "-01:00"),
    ] {
      #expect(taken("2024:05:01 00:00:09", offset: zone) == "2024-05-01T00:00:09\(expected)", "\(zone)")
      #expect(taken("2024:05:01", offset: zone) == "2024-05-01T00:00:00\(expected)", "\(zone)")
    }
    #expect(taken("2024:05:01", offset: "+24:00") == nil)
    #expect(taken("2024:05:01 10:00:00+01:00", offset: "+02:00") == "2024-05-01T10:00:00+01:00")
  }

  /// A valid time, of which one number is replaced.
  private func isValid(_ place: Int, _ number: Int) -> Bool {
    var numbers = [2024, 5, 17, 0, 0, 0, 0, 0]
    numbers[place] = number
    return CalendarTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5],
      nanosecond: numbers[6], offset: numbers[7]) != nil
  }

  @Test("Each number of a time has a least and a greatest value")
  func bounds() {
    let ranges = [1...9_999, 1...12, 1...31, 0...23, 0...59, 0...60, 0...999_999_999, -1_439...1_439]
    for (place, range) in ranges.enumerated() {
      #expect(isValid(place, range.lowerBound) && isValid(place, range.upperBound), "\(place)")
      #expect(!isValid(place, range.lowerBound - 1) && !isValid(place, range.upperBound + 1), "\(place)")
    }
  }

  @Test("Each month of common and leap years has its days")
  func months() {
    let days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (year, isLeapYear) in [
      (1900, false), (2000, true), (2023, false), (2024, true), (2100, false), (4, true),
    ] {
      for month in 1...12 {
        let count = month == 2 && isLeapYear ? 29 : days[month - 1]
        #expect(CalendarTime(year: year, month: month, day: count) != nil, "\(year)-\(month)")
        #expect(CalendarTime(year: year, month: month, day: count + 1) == nil, "\(year)-\(month)")
      }
    }
  }

  @Test("Days are counted as a calendar counts them, one after the other, from the year -400 to 2400")
  func days() {
    var count = CalendarTime.daysSince1970(-400, 1, 1)
    #expect(CalendarTime.daysSince1970(1970, 1, 1) == 0)
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var wrong = 0
    for year in -400...2_400 {
      let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      for month in 1...12 {
        for day in 1...lengths[month - 1] + (month == 2 && isLeapYear ? 1 : 0) {
          if CalendarTime.daysSince1970(year, month, day) != count { wrong += 1 }
          count += 1
        }
      }
      if CalendarTime.daysSince1970(year, 13, 1) != count { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  @Test("A quotient is rounded down, also of negative numbers")
  func floors() {
    for (number, divisor, expected) in [
      (7, 4, 1), (4, 4, 1), (3, 4, 0), (0, 4, 0), (-1, 4, -1), (-4, 4, -1), (-5, 4, -2), (-400, 400, -1),
    ] {
      #expect(CalendarTime.floored(number, divisor) == expected, "\(number)")
    }
  }

  @Test("Seconds count hours, minutes and fractions, with the own offset or the assumed one")
  func seconds() throws {
    let time = CalendarTime(
      year: 1970, month: 1, day: 2, hour: 3, minute: 4, second: 5, nanosecond: 250_000_000)
    var found = try #require(time)
    let midnight = 86_400.0, fraction = 5.25
    #expect(found.secondsSince1970() == midnight + 11_040 + fraction)
    #expect(found.secondsSince1970(assumingOffset: -90) == midnight + 16_440 + fraction)
    found.offset = 60
    #expect(found.secondsSince1970(assumingOffset: -90) == midnight + 7_440 + fraction)
  }

  @Test("The description has four digits of the year, no needless zeros, and the offset with its sign")
  func descriptions() {
    func text(_ year: Int, _ nanosecond: Int, _ offset: Int?) -> String? {
      CalendarTime(year: year, month: 12, day: 31, nanosecond: nanosecond, offset: offset)?.description
    }
    #expect(text(7, 1, 1) == "0007-12-31T00:00:00.000000001+00:01")
    #expect(text(9_999, 100_000_000, -1) == "9999-12-31T00:00:00.1-00:01")
    #expect(text(2024, 999_999_999, 1_439) == "2024-12-31T00:00:00.999999999+23:59")
    #expect(text(2024, 0, -60) == "2024-12-31T00:00:00-01:00")
  }
}
