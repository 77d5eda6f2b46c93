import Streams
import StreamsTesting

/// Seconds and what comes in them, on the way to a diagram: what a model of an operator writes.
struct Sketch {
  private var seconds = Array(repeating: [String](), count: 20)

  /// Notes a sign of a diagram, or a name of several letters in brackets.
  mutating func note(_ sign: some CustomStringConvertible, at second: Int) {
    seconds[second].append("\(sign)")
  }

  var line: String {
    Self.trimmed(
      seconds.map { $0.isEmpty ? "-" : $0.count == 1 ? $0[0] : "(\($0.joined()))" }.joined())
  }

  /// Without the silence at the end.
  static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == "-" }.reversed())
  }

  /// Every diagram of `length` seconds in which something comes or not, with the numbers of the values, and each end.
  static func all(_ length: Int) -> [String] {
    (0..<1 << length).flatMap { pattern in
      var number = 0
      let line = (0..<length).map { second in
        guard pattern >> second & 1 == 1 else { return "-" }
        number += 1
        return "\(number)"
      }.joined()
      return [line, line + "|", line + "#"]
    }
  }
}
