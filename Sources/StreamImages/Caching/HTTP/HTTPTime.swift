/// The three formats of times in HTTP, in seconds since 1970.
public enum HTTPTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameters:
  ///   - text: The value of a field such as `Last-Modified`.
  ///   - now: Years of two digits are at most 50 years after it.
  /// - Returns: `nil` if the text has none of these formats, or is not a valid time.
  public static func seconds(_ text: String, now: Int) -> Int? {
    let words = text.split { " ,-".contains($0) }
    let bytes = text.utf8
    if hasForm(bytes, "AAA, 00 AAA 0000 00:00:00 GMT") {
      return seconds(words[3], words[2], words[1], words[4])
    }
    if hasForm(bytes, "AAA AAA 00 00:00:00 0000") || hasForm(bytes, "AAA AAA  0 00:00:00 0000") {
      return seconds(words[4], words[1], words[2], words[3])
    }
    let date = bytes.drop { $0 != UInt8(ascii: ",") }
    guard hasForm(bytes.prefix(6), "AAAAAA"), hasForm(date, ", 00-AAA-00 00:00:00 GMT"),
      let short = number(words[3], 0...99)
    else { return nil }
    let thisYear = civil(now / 86_400).year
    var year = thisYear - thisYear % 100 + short
    if year > thisYear + 50 { year -= 100 }
    return seconds("\(year)"[...], words[2], words[1], words[4])
  }

  /// Compares with a form in which `A` is any letter and `0` any digit. Times of other forms count as past in caches, so
  /// almost right is wrong.
  private static func hasForm(_ bytes: some Collection<UInt8>, _ form: StaticString) -> Bool {
    guard bytes.count == form.utf8CodeUnitCount else { return false }
    return form.withUTF8Buffer { form in
      zip(bytes, form).allSatisfy { byte, wanted in
        switch wanted {
        case UInt8(ascii: "A"): (0x41...0x5A).contains(byte & 0xDF)
        case UInt8(ascii: "0"): (0x30...0x39).contains(byte)
        default: byte == wanted
        }
      }
    }
  }

  /// Writes `Sun, 06 Nov 1994 08:49:37 GMT`, the format that senders must use.
  public static func text(_ seconds: Int) -> String {
    let (day, clock) = (CalendarTime.floored(seconds, 86_400), clock(seconds).joined(separator: ":"))
    let (year, month, dayOfMonth) = civil(day)
    let weekday = days[day - CalendarTime.floored(day, 7) * 7]
    return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  /// Writes `1994-11-06 08.49.37`, which can be part of a file name.
  static func sortable(_ seconds: Int) -> String {
    let (year, month, day) = civil(CalendarTime.floored(seconds, 86_400))
    let clock = clock(seconds).joined(separator: ".")
    return "\(year)-\(twoDigits(month))-\(twoDigits(day)) \(clock)"
  }

  private static func clock(_ seconds: Int) -> [String] {
    let time = seconds - CalendarTime.floored(seconds, 86_400) * 86_400
    return [time / 3600, time / 60 % 60, time % 60].map(twoDigits)
  }

  private static func seconds(
    _ year: Substring, _ month: Substring, _ day: Substring, _ clock: Substring
  ) -> Int? {
    let parts = clock.split(separator: ":")
    guard let year = number(year, 1...9999), let month = months.firstIndex(of: String(month)),
      let day = number(day, 1...31), parts.count == 3, let hour = number(parts[0], 0...23),
      // A leap second is written as 60.
      let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
    else { return nil }
    // The month after December is January of the next year.
    let start = CalendarTime.daysSince1970(year, month + 1, 1)
    guard start + day <= CalendarTime.daysSince1970(year, month + 2, 1) else { return nil }
    return (start + day - 1) * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    text.utf8.count <= 4 ? Int(digits: text.utf8).flatMap { range.contains($0) ? $0 : nil } : nil
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    // Not after the year of the day, also before 1970.
    var year = 1970 + CalendarTime.floored(day, day < 0 ? 365 : 366)
    while CalendarTime.daysSince1970(year + 1, 1, 1) <= day { year += 1 }
    var month = 1
    while month < 12, CalendarTime.daysSince1970(year, month + 1, 1) <= day { month += 1 }
    return (year, month, day - CalendarTime.daysSince1970(year, month, 1) + 1)
  }
}
