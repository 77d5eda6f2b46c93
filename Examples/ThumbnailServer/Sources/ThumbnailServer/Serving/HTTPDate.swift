internal import Foundation

enum HTTPDate {
  private static let calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
    let two = { (number: Int?) in (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    let day = "\(days[(parts.weekday ?? 1) - 1]), \(two(parts.day)) \(months[(parts.month ?? 1) - 1])"
    return "\(day) \(parts.year ?? 0) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
  }
}
