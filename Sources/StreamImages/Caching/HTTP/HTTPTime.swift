/// The three formats of times in HTTP, in seconds since 1970.
public enum HTTPTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  ///
  /// - Parameter now: Years of two digits are at most 50 years after it.
  /// - Returns: `nil` if the text has none of these formats, or is not a valid time.
  public static func seconds(_ text: String, now: Int) -> Int? {
    let words = text.split { " ,".contains($0) }
    switch words.count {
    case 6 where words[5] == "GMT": return seconds(words[3], words[2], words[1], words[4])
    case 5:
      return seconds(words[4], words[1], words[2], words[3])
    case 4 where words[3] == "GMT":
      let date = words[1].split(separator: "-")
      guard date.count == 3, let short = number(date[2], 0...99) else { return nil }
      let thisYear = civil(now / 86_400).year
      var year = thisYear - thisYear % 100 + short
      if year > thisYear + 50 { year -= 100 }
      return seconds("\(year)"[...], date[1], date[0], words[2])
    default: return nil
    }
  }

  /// Writes `Sun, 06 Nov 1994 08:49:37 GMT`, the format that senders must use.
  public static func text(_ seconds: Int) -> String {
    let day = floored(seconds, 86_400)
    let time = seconds - day * 86_400
    let (year, month, dayOfMonth) = civil(day)
    let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
    let weekday = days[day - floored(day, 7) * 7]
    return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
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
    guard text.utf8.count <= 4, let number = Int(digits: text.utf8), range.contains(number) else {
      return nil
    }
    return number
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
    // Not after the year of the day, also before 1970.
    var year = 1970 + floored(day, day < 0 ? 365 : 366)
    while CalendarTime.daysSince1970(year + 1, 1, 1) <= day { year += 1 }
    var month = 1
    while month < 12, CalendarTime.daysSince1970(year, month + 1, 1) <= day { month += 1 }
    return (year, month, day - CalendarTime.daysSince1970(year, month, 1) + 1)
  }

  private static func floored(_ number: Int, _ divisor: Int) -> Int { CalendarTime.floored(number, divisor) }
}
