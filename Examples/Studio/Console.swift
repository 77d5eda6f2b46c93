import Foundation

/// Lines for people: results to standard output, complaints to standard error, in the order of what happened.
package enum Console {
  package static func say(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Asks for the next line.
  package static func prompt() {
    print("> ", terminator: "")
    fflush(nil)
  }

  package static func complain(_ text: String) {
    fflush(nil)
    FileHandle.standardError.write(Data("\(ProcessInfo.processInfo.processName): \(text)\n".utf8))
  }
}

extension Duration {
  package var milliseconds: Double { self / .milliseconds(1) }
}

extension Double {
  /// Whole, but with a decimal below ten.
  package var rounded: String {
    self < 9.95 ? "\((self * 10).rounded() / 10)" : Int(self.rounded()).grouped
  }
}

extension Int {
  /// So many of something.
  package func of(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// With a space at every third digit.
  package var grouped: String {
    var digits = String(self)
    var end = digits.endIndex
    while let start = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex), start > digits.startIndex
    {
      digits.insert(" ", at: start)
      end = start
    }
    return digits
  }
}

extension String {
  /// Filled up with spaces on the left, or, for a negative width, on the right.
  package func padded(to width: Int) -> String {
    let spaces = String(repeating: " ", count: max(abs(width) - count, 0))
    return width < 0 ? self + spaces : spaces + self
  }
}
