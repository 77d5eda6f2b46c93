/// A date and a time of day as files have them, with a time zone only if the file names one.
public struct CalendarTime: Sendable, Hashable, CustomStringConvertible {
  /// The year.
  public var year: Int
  /// The month, from 1.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int
  /// The hour, from 0.
  public var hour: Int
  /// The minute.
  public var minute: Int
  /// The second; 60 is a leap second.
  public var second: Int
  /// The part of the second, in nanoseconds.
  public var nanosecond: Int
  /// By how many minutes the local time is ahead of UTC; `nil` if it is not known.
  public var offset: Int?

  /// Creates a time. `nil` unless there is such a date, with an offset of less than a day.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
    offset: Int? = nil
  ) {
    guard (1...9_999).contains(year), (1...12).contains(month), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second), (0..<1_000_000_000).contains(nanosecond),
      (1...Self.days(in: month, of: year)).contains(day), (-1_439...1_439).contains(offset ?? 0)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
    self.offset = offset
  }

  /// Seconds since 1970 in UTC, without leap seconds.
  ///
  /// - Parameter offset: The offset of a time that has none.
  public func secondsSince1970(assumingOffset offset: Int = 0) -> Double {
    let days = Self.daysSince1970(year, month, day)
    let minutes = (days * 24 + hour) * 60 + minute - (self.offset ?? offset)
    return Double(minutes * 60 + second) + Double(nanosecond) / 1e9
  }

  /// The number of a day of the Gregorian calendar. Month 13 is January of the next year.
  package static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years begin in March here, so that the leap day is the last day of a year.
    let year = month > 2 ? year : year - 1
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let leapDays = floored(year, 4) - floored(year, 100) + floored(year, 400)
    return year * 365 + leapDays + dayOfYear - 719_468
  }

  package static func floored(_ number: Int, _ divisor: Int) -> Int {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// In the form of ISO 8601, such as `2024-05-01T12:30:00.25+02:00`.
  public var description: String {
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    var text =
      "\(digits(year, 4))-\(digits(month))-\(digits(day))T\(digits(hour)):\(digits(minute)):\(digits(second))"
    if nanosecond > 0 {
      var fraction = digits(nanosecond, 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    guard let offset else { return text }
    if offset == 0 { return text + "Z" }
    return text + (offset < 0 ? "-" : "+") + digits(abs(offset) / 60) + ":" + digits(abs(offset) % 60)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}

extension CalendarTime {
  /// Reads `2024:05:01 12:30:00` of Exif, and ISO 8601 with the parts from the hour on being optional.
  init?(text: String, fraction: String? = nil, offset: String? = nil) {
    var rest = Substring(text.trimmed ?? "")
    func number(_ count: Int) -> Int? {
      let digits = rest.prefix(count)
      guard digits.utf8.count == count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      rest = rest.dropFirst(count)
      return Int(digits)
    }
    func skip(_ separators: Set<Character>) -> Bool {
      guard let first = rest.first, separators.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip([":", "-"]), let month = number(2), skip([":", "-"]), let day = number(2)
    else { return nil }
    var (hour, minute, second) = (0, 0, 0)
    var (nanosecond, zone) = (Self.nanoseconds(fraction), offset)
    if skip(["T", " "]) {
      guard let foundHour = number(2), skip([":"]), let foundMinute = number(2) else { return nil }
      (hour, minute) = (foundHour, foundMinute)
      if skip([":"]) {
        guard let found = number(2) else { return nil }
        second = found
      }
      if skip(["."]) {
        let digits = rest.prefix { $0.isNumber }
        nanosecond = Self.nanoseconds(String(digits))
        rest = rest.dropFirst(digits.count)
      }
      if !rest.isEmpty { zone = String(rest) }
    }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
      offset: zone.flatMap(Self.minutes))
  }

  private static func nanoseconds(_ fraction: String?) -> Int {
    let digits = (fraction ?? "").prefix(9).prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else { return 0 }
    return Int(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
  }

  /// Minutes of `+02:00`, `-0330` or `Z`.
  private static func minutes(_ text: String) -> Int? {
    guard let text = text.trimmed else { return nil }
    if text == "Z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let sign = text.first, sign == "+" || sign == "-", digits.count == 4, let number = Int(digits),
      number >= 0
    else { return nil }
    return (number / 100 * 60 + number % 100) * (sign == "-" ? -1 : 1)
  }
}
