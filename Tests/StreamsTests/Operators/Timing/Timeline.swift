import Streams
import StreamsTesting

/// A stream as a line of text: each sign is a second.
///
/// `-` is a second in which nothing comes, a digit is a value, `|` the end, and `x` a failure. What comes in one
/// second stands in parentheses: `(12|)`.
///
/// What is due in a second comes before what upstream says in it.
struct Timeline {
  private let seconds: [[Character]]

  init(_ text: String) {
    var seconds: [[Character]] = []
    var isInside = false
    for sign in text {
      switch sign {
      case "(":
        seconds.append([])
        isInside = true
      case ")": isInside = false
      case "-": seconds.append([])
      case _ where isInside: seconds[seconds.count - 1].append(sign)
      default: seconds.append([sign])
      }
    }
    self.seconds = seconds
  }

  /// Every line of `length` seconds in which something comes or not, with the numbers of the values, and each end.
  static func all(_ length: Int) -> [String] {
    (0..<1 << length).flatMap { pattern in
      var number = 0
      let line = (0..<length).map { second in
        guard pattern >> second & 1 == 1 else { return "-" }
        number += 1
        return "\(number)"
      }.joined()
      return [line, line + "|", line + "x"]
    }
  }

  /// Plays the line to an operator under virtual time, and writes down what comes of it in `seconds`.
  ///
  /// - Parameter demand: What is asked for when the subscription arrives.
  func play<Made: Publisher>(
    for seconds: Int = 20, demand: Subscribers.Demand = .unlimited,
    through make: (Script<Int, Problem>, VirtualScheduler) -> Made
  ) -> String {
    let scheduler = VirtualScheduler.virtual
    let script = Script(Int.self, failure: Problem.self)
    var line = ""
    var seen = 1
    let recorder = make(script, scheduler).record(demand: demand)
    for second in 0..<seconds {
      scheduler.advance(to: VirtualTime(.seconds(second)))
      if second < self.seconds.count { speak(self.seconds[second], by: script) }
      scheduler.advance()
      let signs = recorder.events.dropFirst(seen).map(Self.sign)
      seen += signs.count
      line += signs.isEmpty ? "-" : signs.count == 1 ? signs[0] : "(\(signs.joined()))"
    }
    return Self.trimmed(line)
  }

  private func speak(_ signs: [Character], by script: Script<Int, Problem>) {
    for sign in signs {
      switch sign {
      case "|": script.end()
      case "x": script.end(.failure(Problem(code: 1)))
      default: script.say(sign.wholeNumberValue ?? 0)
      }
    }
  }

  private static func sign<Output, Failure>(of event: Recorder<Output, Failure>.Event) -> String {
    switch event {
    case .subscription: "s"
    case .value(let values as [Int]): "[" + values.map(String.init).joined() + "]"
    case .value(let value): "\(value)"
    case .completion(.finished): "|"
    case .completion(.failure): "x"
    }
  }

  /// Without the silence at the end.
  static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == "-" }.reversed())
  }
}

/// Seconds and what comes in them, on the way to a line: what a model of an operator writes.
struct Sketch {
  private var seconds = Array(repeating: "", count: 20)

  mutating func note(_ sign: some CustomStringConvertible, at second: Int) { seconds[second] += "\(sign)" }

  var line: String {
    Timeline.trimmed(
      seconds.map { $0.isEmpty ? "-" : $0.count == 1 || Self.isGroup($0) ? $0 : "(\($0))" }.joined())
  }

  /// One array alone needs no parentheses.
  private static func isGroup(_ signs: String) -> Bool {
    signs.hasPrefix("[") && signs.firstIndex(of: "]") == signs.index(before: signs.endIndex)
  }
}
