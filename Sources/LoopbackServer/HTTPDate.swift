package import Foundation

/// `Sun, 06 Nov 1994 08:49:37 GMT`
package enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package static func text(of date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let day = seconds.floored(by: 86_400)
    let time = seconds - day * 86_400
    let (year, month, dayOfMonth) = civil(from: day)
    let clock = [time / 3600, time / 60 % 60, time % 60].map(twoDigits).joined(separator: ":")
    let weekday = days[day - day.floored(by: 7) * 7]
    return "\(weekday), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(clock) GMT"
  }

  /// Returns `nil` if the text has another format.
  package static func date(_ text: String) -> Date? {
    let words = text.split(separator: " ")
    // Numbers of 16 bits cannot overflow below.
    guard words.count == 6, words[5] == "GMT", let day = UInt16(words[1]),
      let month = months.firstIndex(of: String(words[2])), let year = UInt16(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { UInt16($0) }.map(Int.init)
    guard clock.count == 3 else { return nil }
    let time = clock[0] * 3600 + clock[1] * 60 + clock[2]
    let seconds = days(to: Int(year), month + 1, Int(day)) * 86_400 + time
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Days since 1970. Years begin in March here, so that the leap day is the last day of a year.
  private static func days(to year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = marchYear.floored(by: 4) - marchYear.floored(by: 100) + marchYear.floored(by: 400)
    return marchYear * 365 + leapDays + dayOfYear - 719_468
  }

  private static func civil(from day: Int) -> (year: Int, month: Int, day: Int) {
    var year = 1970 + day.floored(by: 366)
    while days(to: year + 1, 1, 1) <= day { year += 1 }
    var month = 1
    while month < 12, days(to: year, month + 1, 1) <= day { month += 1 }
    return (year, month, day - days(to: year, month, 1) + 1)
  }
}

extension Int {
  fileprivate func floored(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
