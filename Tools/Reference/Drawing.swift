import StreamsExtras
import StreamsTesting

/// A drawing of lanes as SVG, without a background: for pages that are light, or for pages that are dark.
struct Drawing {
  struct Theme {
    let suffix, ink, line, box, border: String

    static let light = Theme(suffix: "", ink: "#1d1d1f", line: "#6e6e73", box: "#f5f5f7", border: "#d2d2d7")
    static let dark = Theme(
      suffix: "~dark", ink: "#f5f5f7", line: "#a1a1a6", box: "#2c2c2e", border: "#48484a")
  }

  private static let palette = ["#2f7bf6", "#e8590c", "#2b8a3e", "#9c36b5", "#c2255c", "#0b7285"]
  private static let neutral = "#5c636a"
  private static let (labels, laneHeight, boxHeight) = (78, 42, 46)

  private let lanes: [Stage.Lane]
  private let theme: Theme
  private let colors: [Character: String]
  private let columns: [(left: Int, width: Int)]
  private var body: [String] = []
  private var top = 4

  init(_ lanes: [Stage.Lane], _ theme: Theme) {
    self.lanes = lanes
    self.theme = theme
    colors = Self.colors(of: lanes)
    columns = Self.columns(of: lanes)
  }

  mutating func svg(describedAs description: String) -> String {
    body = []
    top = 4
    for lane in lanes {
      if let call = lane.call { drawBox(call) }
      draw(lane)
    }
    let (width, height) = (right + 26, top + 4)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" role="img">
      <title>\(Self.escaped(description))</title>
      <g font-family="-apple-system, 'Helvetica Neue', 'DejaVu Sans', sans-serif" font-size="13" \
      fill="none" stroke-linecap="round">
      \(body.joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  // MARK: Lanes

  private mutating func draw(_ lane: Stage.Lane) {
    let y = top + Self.laneHeight / 2
    top += Self.laneHeight
    text(lane.label, x: Self.labels - 14, y: y + 4, "fill=\"\(theme.ink)\" text-anchor=\"end\"")
    let begin = lane.start == 0 ? Self.labels : center(lane.start)
    let end = lane.hasEnded ? center(lane.last) : right + 16
    line(begin, y, end, y)
    if lane.start > 0 {
      body.append("<circle cx=\"\(begin)\" cy=\"\(y)\" r=\"3.5\" fill=\"\(theme.line)\"/>")
    }
    if !lane.hasEnded {
      body.append(
        "<path d=\"M\(end - 5) \(y - 5)l6 5l-6 5\" stroke=\"\(theme.line)\" stroke-width=\"2\"/>")
    }
    if let cancelled = lane.cancelled {
      let x = center(cancelled)
      body.append(
        "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"4.5\" fill=\"\(theme.box)\" stroke=\"\(theme.line)\" "
          + "stroke-width=\"2\"/>")
    }
    for (column, signals) in lane.signals.sorted(by: { $0.key < $1.key }) {
      var x = center(column) - Self.width(of: signals) / 2
      for signal in signals {
        draw(signal, x + Self.width(of: signal) / 2, y)
        x += Self.width(of: signal) + 4
      }
    }
  }

  private mutating func draw(_ signal: Marble.Signal, _ x: Int, _ y: Int) {
    let stroke = "stroke=\"\(theme.ink)\" stroke-width=\"2.5\""
    switch signal {
    case .value(let name):
      let width = Self.width(of: signal)
      drawPill(name, x - width / 2, y - 13, width)
      text(name, x: x, y: y + 5, "fill=\"#fff\" font-weight=\"600\" text-anchor=\"middle\"")
    case .finished:
      body.append("<path d=\"M\(x) \(y - 13)v26\" \(stroke)/>")
    case .failure:
      body.append("<path d=\"M\(x - 8) \(y - 8)l16 16m0 -16l-16 16\" \(stroke)/>")
    }
  }

  /// A shape with as many colors as upstreams have a part in the value.
  private mutating func drawPill(_ name: String, _ x: Int, _ y: Int, _ width: Int) {
    var parts: [String] = []
    for sign in name {
      if let color = colors[sign], parts.last != color { parts.append(color) }
    }
    if parts.count < 2 {
      body.append(
        "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"26\" rx=\"13\" "
          + "fill=\"\(parts.first ?? Self.neutral)\"/>")
      return
    }
    let id = "p" + parts.map { $0.dropFirst() }.joined(separator: "-")
    let stops = parts.enumerated().map { index, color in
      let (from, to) = (index * 100 / parts.count, (index + 1) * 100 / parts.count)
      return
        "<stop offset=\"\(from)%\" stop-color=\"\(color)\"/><stop offset=\"\(to)%\" stop-color=\"\(color)\"/>"
    }
    let gradient = "<linearGradient id=\"\(id)\">\(stops.joined())</linearGradient>"
    if !body.contains(gradient) { body.append(gradient) }
    body.append(
      "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"26\" rx=\"13\" fill=\"url(#\(id))\"/>")
  }

  private mutating func drawBox(_ call: String) {
    body.append(
      "<rect x=\"\(Self.labels)\" y=\"\(top + 6)\" width=\"\(right + 16 - Self.labels)\" height=\"34\" "
        + "rx=\"8\" fill=\"\(theme.box)\" stroke=\"\(theme.border)\"/>")
    text(
      call, x: (Self.labels + right + 16) / 2, y: top + 28,
      "fill=\"\(theme.ink)\" text-anchor=\"middle\" "
        + "font-family=\"'SF Mono', Menlo, 'DejaVu Sans Mono', monospace\"")
    top += Self.boxHeight
  }

  private mutating func line(_ x: Int, _ y: Int, _ end: Int, _ endY: Int) {
    body.append("<path d=\"M\(x) \(y)L\(end) \(endY)\" stroke=\"\(theme.line)\" stroke-width=\"2\"/>")
  }

  private mutating func text(_ text: String, x: Int, y: Int, _ style: String) {
    if !text.isEmpty { body.append("<text x=\"\(x)\" y=\"\(y)\" \(style)>\(Self.escaped(text))</text>") }
  }

  // MARK: Columns

  private var right: Int { columns.last.map { $0.left + $0.width } ?? Self.labels }

  private func center(_ column: Int) -> Int {
    let column = columns[min(column, columns.count - 1)]
    return column.left + column.width / 2
  }

  private static func width(of signal: Marble.Signal) -> Int {
    switch signal {
    case .value(let name): max(26, name.count * 9 + 12)
    case .finished: 6
    case .failure: 18
    }
  }

  private static func width(of signals: [Marble.Signal]) -> Int {
    signals.map(width).reduce(0, +) + 4 * (signals.count - 1)
  }

  /// A column is as wide as the widest of what the lanes have in it. A box needs room for its call.
  private static func columns(of lanes: [Stage.Lane]) -> [(left: Int, width: Int)] {
    let count = (lanes.map(\.last).max() ?? 0) + 1
    var widths = (0..<count).map { column in
      max(30, lanes.map { $0.signals[column].map { width(of: $0) + 6 } ?? 0 }.max() ?? 0)
    }
    let needed = lanes.compactMap(\.call).map { $0.count * 8 + 20 }.max() ?? 0
    let missing = max(needed - widths.reduce(0, +), 0)
    widths = widths.map { $0 + (missing + count - 1) / count }
    var left = labels + 6
    return widths.map { width in
      defer { left += width }
      return (left, width)
    }
  }

  /// Each upstream has a color, which its values keep.
  private static func colors(of lanes: [Stage.Lane]) -> [Character: String] {
    var colors: [Character: String] = [:]
    let inputs = lanes.filter { $0.call == nil && !$0.label.isEmpty }
    for (index, lane) in inputs.enumerated() {
      for case .value(let name) in lane.signals.values.joined() {
        for sign in name where colors[sign] == nil { colors[sign] = palette[index % palette.count] }
      }
    }
    return colors
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
