package import Foundation

/// `Sun, 06 Nov 1994 08:49:37 GMT`
package enum HTTPDate {
  package static func text(of date: Date) -> String { format.string(from: date) }

  /// Returns `nil` if the text has another format.
  package static func date(_ text: String) -> Date? { format.date(from: text) }

  private static let format: DateFormatter = {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format
  }()
}
