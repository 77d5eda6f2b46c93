extension Timeline {
  /// An SVG image of the newest 400 events that ``text`` draws: a lane for each subscription, a mark for each event, the
  /// times, and a legend.
  ///
  /// Values are shortened to eight characters, or fewer if there are many events. The whole text of a mark or a lane
  /// appears as a tooltip. The image has a light and a dark appearance.
  public var svg: String {
    let drawn = events.filter { $0.kind.isDrawn && $0.subscription != nil }
    return TimelineImage(drawn.suffix(400), of: drawn.count).text
  }
}

/// The layout of a ``Timeline`` as an image.
private struct TimelineImage {
  private struct Column {
    let event: Timeline.Event
    let lane: Int
    let sign: String
    let x: Int
    let width: Int
  }

  private static let (left, laneHeight, top) = (228, 34, 34)
  private let lanes: [Timeline.Subscription]
  private let columns: [Column]
  private let leftOut: Int

  init(_ events: ArraySlice<Timeline.Event>, of count: Int) {
    var known: [Int: Timeline.Subscription] = [:]
    for subscription in events.compactMap(\.subscription) { known[subscription.id] = subscription }
    let lanes = known.values.sorted { $0.id < $1.id }
    let rows = Dictionary(uniqueKeysWithValues: lanes.enumerated().map { ($1.id, $0) })
    let most = (2...8).last { most in events.reduce(0) { $0 + Self.width($1.kind.mark(most)) } <= 1020 } ?? 2
    var x = Self.left
    columns = events.map { event in
      let sign = event.kind.mark(most)
      defer { x += Self.width(sign) }
      return Column(
        event: event, lane: rows[event.subscription?.id ?? 0] ?? 0, sign: sign, x: x, width: Self.width(sign))
    }
    self.lanes = lanes
    leftOut = count - events.count
  }

  /// A character takes seven points.
  private static func width(_ sign: String) -> Int { max(24, 7 * sign.count + 11) }

  var text: String {
    let width = max(940, (columns.last.map { $0.x + $0.width } ?? 0) + 16)
    let height = Self.top + Self.laneHeight * lanes.count + 64
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(width) \#(height)" width="\#(width)" height="\#(height)" font-family="monospace" font-size="12">"#,
      Self.style, #"<rect class="ground" width="100%" height="100%"/>"#,
    ]
    lines += times
    for index in lanes.indices { lines += lane(index, width) }
    lines += columns.map(mark)
    lines += legend(height)
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private func y(_ lane: Int) -> Int { Self.top + Self.laneHeight * lane + Self.laneHeight / 2 }

  /// The time since the first event, where there is room for it.
  private var times: [String] {
    guard let start = columns.first?.event.time else { return [] }
    var free = Int.min
    return columns.compactMap { column in
      guard column.x >= free else { return nil }
      let words = (column.event.time - start).milliseconds
      free = column.x + 7 * words.count + 20
      return #"<text class="time" x="\#(column.x + 4)" y="20">\#(words)</text>"#
        + #"<line class="tick" x1="\#(column.x)" y1="10" x2="\#(column.x)" y2="\#(y(lanes.count) - 14)"/>"#
    }
  }

  private func lane(_ index: Int, _ width: Int) -> [String] {
    let lane = lanes[index]
    let place = lane.place.map { " at \($0)" } ?? ""
    return [
      #"<line class="lane" x1="\#(Self.left)" y1="\#(y(index))" x2="\#(width - 12)" y2="\#(y(index))"/>"#,
      #"<text x="12" y="\#(y(index) + 4)">\#(lane.description.trimmed(to: 28).escaped)<title>#\#(lane.id) \#(lane.description.escaped)\#(place.escaped)</title></text>"#,
    ]
  }

  private func mark(_ column: Column) -> String {
    let event = column.event
    let queue = event.queue.map { " on \($0)" } ?? ""
    let title = "\(event.kind.words)\n+\(event.time.thousandths)s thread \(event.thread)\(queue)"
    return Self.mark(event.kind.style, column.sign, x: column.x, y: y(column.lane), column.width - 4, title)
  }

  private static func mark(
    _ style: String, _ sign: String, x: Int, y: Int, _ width: Int, _ title: String
  ) -> String {
    #"<g class="\#(style)"><rect x="\#(x)" y="\#(y - 10)" width="\#(width)" height="20" rx="10"/>"#
      + #"<text x="\#(x + width / 2)" y="\#(y + 4)" text-anchor="middle">\#(sign.escaped)</text><title>\#(title.escaped)</title></g>"#
  }

  private func legend(_ height: Int) -> [String] {
    let entries = [
      ("plain", "s", "subscription"), ("plain", "…", "found"), ("demand", "3", "request, ∞ unlimited"),
      ("value", "v", "value"),
      ("drop", "×v", "dropped"), ("plain", "|", "end"), ("bad", "#", "failure"), ("bad", "!", "cancel"),
      ("bad", "~", "released"),
    ]
    var x = 12
    let marks = entries.map { style, sign, words in
      defer { x += 36 + 7 * words.count + 8 }
      return Self.mark(style, sign, x: x, y: height - 40, 24, words)
        + #"<text x="\#(x + 28)" y="\#(height - 36)">\#(words)</text>"#
    }
    let note = leftOut > 0 ? " \(leftOut) earlier events are left out." : ""
    return marks + [
      #"<text class="time" x="12" y="\#(height - 10)">Times are since the first event that is drawn. A tooltip has the whole text.\#(note)</text>"#
    ]
  }

  private static let style = """
    <style>
    .ground { fill: #fff } text { fill: #1c1c1e } .time { fill: #6b6b70; font-size: 11px }
    .tick { stroke: #e5e5ea } .lane { stroke: #b5b5ba }
    rect { fill: #fff; stroke: #8a8a8f } .demand rect { fill: #dcebff; stroke: #2f6fbf }
    .value rect { fill: #dff5e3; stroke: #2e8b57 } .drop rect { fill: #ffe3c9; stroke: #c25700 }
    .bad rect { fill: #ffdedc; stroke: #b3261e }
    @media (prefers-color-scheme: dark) {
    .ground { fill: #1c1c1e } text { fill: #f2f2f7 } .time { fill: #a0a0a8 } .tick { stroke: #333336 } .lane { stroke: #5c5c61 }
    rect { fill: #2c2c2e; stroke: #8a8a8f } .demand rect { fill: #16365c; stroke: #6ea8f0 }
    .value rect { fill: #123d22; stroke: #55c27f } .drop rect { fill: #552a00; stroke: #ff9a3d }
    .bad rect { fill: #561714; stroke: #ff7b73 }
    }
    .ground { stroke: none }
    </style>
    """
}

extension Timeline.Event.Kind {
  fileprivate func mark(_ most: Int) -> String {
    switch self {
    case .requested(let count): count.map { "\($0)" } ?? "∞"
    case .value(let words): words.trimmed(to: most)
    case .dropped(let words, _): "×" + words.trimmed(to: most)
    default: sign(most: most)
    }
  }

  fileprivate var style: String {
    switch self {
    case .subscribed, .found, .subscription, .finished: "plain"
    case .requested: "demand"
    case .value: "value"
    case .dropped: "drop"
    case .failed, .cancelled, .released: "bad"
    }
  }
}

extension Duration {
  /// A text such as `3.1 ms`.
  fileprivate var milliseconds: String {
    let (seconds, attoseconds) = components
    let tenths = seconds * 10_000 + attoseconds / 100_000_000_000_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

extension String {
  /// The text for XML. Characters that XML does not allow are replaced.
  fileprivate var escaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
