import Foundation

/// What standard output can show.
package struct Terminal: Sendable {
  package enum Colors: Sendable {
    /// 24 bits each.
    case all
    /// 240 that most terminals have.
    case palette
  }

  /// `nil` if it is no terminal, or one without colours, or one that is to be left without.
  package let colors: Colors?
  package let columns: Int
  package let rows: Int

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    colors = isatty(STDOUT_FILENO) == 1 ? Self.colors(environment) : nil
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    columns = isKnown ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? 80
    rows = isKnown ? Int(size.ws_row) : environment["LINES"].flatMap { Int($0) } ?? 24
  }

  private static func colors(_ environment: [String: String]) -> Colors? {
    let term = environment["TERM"] ?? ""
    guard environment["NO_COLOR", default: ""].isEmpty, !["", "dumb", "unknown"].contains(term) else {
      return nil
    }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()) { return .all }
    if term.hasSuffix("-direct") { return .all }
    return term.contains("256color") ? .palette : nil
  }
}
