extension Timeline {
  /// A text diagram with a line for each connection and a column for each event.
  ///
  /// `s` is a subscription, `?` a request, `|` the end, `#` a failure and `!` a cancellation. A letter or a digit is a
  /// value, and `•` is a value with a longer description.
  ///
  /// ```
  /// Sequence → Filter  s-?-1-2-----|-
  /// Filter → Sink      -s-?-----2---|
  /// ```
  public var text: String {
    let (joints, events) = (joints, events)
    let width = joints.map(\.description.count).max() ?? 0
    return joints.enumerated().map { index, joint in
      let name = joint.description
      let line = events.filter(\.kind.isSeen).map { $0.joint == index ? $0.kind.sign : "-" }.joined()
      return name + String(repeating: " ", count: width + 2 - name.count) + line
    }.joined(separator: "\n")
  }

  /// A text with a line for each event.
  public var log: String {
    let joints = joints
    return events.map { "\($0.number) \(joints[$0.joint]): \($0.kind.words)" }.joined(separator: "\n")
  }

  /// An SVG image with a lane for each connection and a mark for each event, whose description appears as a tooltip.
  public var svg: String {
    let (joints, events) = (joints, events.filter(\.kind.isSeen))
    let (left, step, height) = (16 + 8 * (joints.map(\.description.count).max() ?? 0), 24, 32)
    let width = left + step * (events.count + 1)
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height * (joints.count + 1))" font-family="monospace" font-size="12">"#
    ]
    for (index, joint) in joints.enumerated() {
      let y = height * (index + 1)
      lines.append(#"<text x="8" y="\#(y + 4)">\#(Self.escaped(joint.description))</text>"#)
      lines.append(#"<line x1="\#(left)" y1="\#(y)" x2="\#(width)" y2="\#(y)" stroke="silver"/>"#)
    }
    for (column, event) in events.enumerated() {
      let (x, y) = (left + step * column + step / 2, height * (event.joint + 1))
      let title = "<title>\(Self.escaped(event.kind.words))</title>"
      lines.append(
        #"<g><circle cx="\#(x)" cy="\#(y)" r="9" fill="white" stroke="\#(event.kind.color)">\#(title)</circle>"#
      )
      lines.append(
        #"<text x="\#(x)" y="\#(y + 4)" text-anchor="middle">\#(Self.escaped(event.kind.sign))</text></g>"#)
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension Timeline.Event.Kind {
  /// Whether the event is drawn. The arrival of the subscriber is not, because its subscription follows.
  var isSeen: Bool { self != .subscribed }

  var sign: String {
    switch self {
    case .subscribed: ""
    case .subscription: "s"
    case .requested: "?"
    case .value(let words): words.count == 1 ? words : "•"
    case .finished: "|"
    case .failed: "#"
    case .cancelled: "!"
    }
  }

  var words: String {
    switch self {
    case .subscribed: "subscribed"
    case .subscription: "subscription"
    case .requested(let count): "request \(count.map { "\($0)" } ?? "unlimited")"
    case .value(let words): "value \(words)"
    case .finished: "finished"
    case .failed(let words): "failure \(words)"
    case .cancelled: "cancel"
    }
  }

  var color: String {
    switch self {
    case .subscribed, .subscription: "gray"
    case .requested: "steelblue"
    case .value: "seagreen"
    case .finished: "black"
    case .failed, .cancelled: "firebrick"
    }
  }
}
