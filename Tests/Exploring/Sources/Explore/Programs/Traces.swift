import StreamsExtras

extension Program {
  /// A trace that is finished while other threads write parts of it: the end is written last, and once.
  static var traces: [Program] {
    [
      trace("a part and the end", [writePart, finish]),
      trace("two parts and the end", [writePart, writePart, finish]),
      trace("a part and two ends", [writePart, finish, finish]),
    ]
  }

  private static func trace(_ name: String, _ actions: [@Sendable (PerfettoTrace) -> Void]) -> Program {
    Program(name: "trace: \(name)") {
      let text = Text()
      let trace = PerfettoTrace { text.append($0) }
      let judge = { () -> String? in
        let isWhole =
          text.value.hasSuffix("\n]\n") && text.value.split(separator: "\n").count { $0 == "]" } == 1
        return isWhole ? nil : "X05: a trace that ends with \(text.value.suffix(60))"
      }
      return (actions.map { action in { action(trace) } }, judge)
    }
  }

  @Sendable private static func writePart(_ trace: PerfettoTrace) {
    trace.addSlice("step", track: "track", start: .now, duration: .zero)
    trace.flush()
  }

  @Sendable private static func finish(_ trace: PerfettoTrace) { trace.finish() }
}

/// What was written. The parts come one at a time.
private final class Text: @unchecked Sendable {  // fibers share one thread
  private(set) var value = ""

  func append(_ part: String) { value += part }
}
