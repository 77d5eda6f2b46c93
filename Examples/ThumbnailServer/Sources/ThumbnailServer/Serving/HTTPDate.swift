internal import Foundation

/// Dates such as `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
  private static let format: Date.FormatString =
    """
    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
    """
  private static let locale = Locale(identifier: "en_US_POSIX")
  private static let calendar = Calendar(identifier: .gregorian)
  private static let style = Date.VerbatimFormatStyle(
    format: format, locale: locale, timeZone: .gmt, calendar: calendar)
  private static let strategy = Date.ParseStrategy(
    format: format, locale: locale, timeZone: .gmt, calendar: calendar, isLenient: false)

  static func text(_ date: Date) -> String { date.formatted(style) }

  /// The date that is written in the format above; `nil` for other texts, among them the two old formats of HTTP.
  static func date(_ text: String) -> Date? { try? Date(text, strategy: strategy) }
}
