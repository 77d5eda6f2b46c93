import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// The parts of a trace, and how it grows: nothing is enabled, so that signals of other tests stay out.
@Suite("Perfetto parts", .serialized, .leavesNothing)
struct PerfettoTraceTests {
  private let parts = Guarded<[String]>([])
  private let start = ContinuousClock.now

  private func makeTrace(limit: Int = 1 << 20) -> PerfettoTrace {
    PerfettoTrace(limit: limit) { [parts] part in parts.withLock { $0.append(part) } }
  }

  private var written: [String] { parts.withLock { $0 } }

  /// The entries of all parts that are slices of other work.
  private func slices() throws -> [[String: Any]] {
    let text = written.joined()
    let all = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return try #require(all).filter { $0["pid"] as? Int == 2 && $0["ph"] as? String == "X" }
  }

  @Test("A trace writes its header at once, and the rest when it is flushed, finished or long enough")
  func growing() {
    let trace = makeTrace()
    #expect(written.count == 1)
    #expect(written[0].hasPrefix("[\n{") && written[0].hasSuffix(#""args":{"name":"Other work"}}"#))

    trace.flush()
    #expect(written.count == 1)
    trace.addSlice("a", track: "t", start: start, duration: .zero)
    #expect(written.count == 1)
    trace.flush()
    #expect(written.count == 2)
    trace.flush()
    #expect(written.count == 2)
    trace.addSlice("b", track: "t", start: start, duration: .zero)
    trace.finish()
    #expect(written.count == 3)
    #expect(written[2].hasPrefix(",\n") && written[2].hasSuffix("}\n]\n"))
    #expect(!written[2].contains(#""name":"a""#))
    trace.addSlice("c", track: "t", start: start, duration: .zero)
    trace.flush()
    trace.finish()

    #expect(written.count == 3)
    #expect(trace.leftOutCount == 0)
  }

  @Test("A part is written once its text has more than 32,768 bytes")
  func partSize() {
    let trace = makeTrace()
    trace.addSlice("a", track: "t", start: start, duration: .zero)  // with the name of the row
    trace.flush()
    trace.addSlice("a", track: "t", start: start, duration: .zero)
    trace.flush()
    let one = written[2].utf8.count

    trace.addSlice(
      String(repeating: "a", count: 32_768 - one + 1), track: "t", start: start, duration: .zero)
    #expect(written.count == 3)
    trace.flush()
    trace.addSlice(
      String(repeating: "a", count: 32_768 - one + 2), track: "t", start: start, duration: .zero)

    #expect(written.count == 5)
    #expect(written.suffix(2).map(\.utf8.count) == [32_768, 32_769])
  }

  @Test("Events and slices are left out and counted once the limit is reached", arguments: [0, 1])
  func limit(bytes: Int) throws {
    let trace = makeTrace(limit: bytes)
    for number in 1...3 { trace.addSlice("\(number)", track: "t", start: start, duration: .zero) }
    trace.observe(.drop("1", .noSubscriber), on: nil)
    trace.finish()

    #expect(try slices().compactMap { $0["name"] as? String } == (bytes == 0 ? [] : ["1"]))
    #expect(trace.leftOutCount == 4 - bytes)
  }

  @Test("Without a limit of its own, a trace has room for 1,000 slices")
  func usualLimit() throws {
    let trace = PerfettoTrace { [parts] part in parts.withLock { $0.append(part) } }
    for number in 1...1_000 { trace.addSlice("\(number)", track: "t", start: start, duration: .zero) }
    trace.finish()

    #expect(try slices().count == 1_000)
    #expect(trace.leftOutCount == 0)
  }

  @Test("A finished trace is disabled")
  func disabled() {
    let trace = makeTrace()
    trace.enable()
    let before = trace.isEnabled
    trace.finish()

    #expect(before)
    #expect(!trace.isEnabled)
  }

  @Test("An entry that is added while a part is being written is written after it")
  func nested() {
    let (log, own) = (Guarded<[String]>([]), Guarded<PerfettoTrace?>(nil))
    let start = self.start
    let trace = PerfettoTrace { part in
      let word = part.contains("second") ? "second" : part.contains("first") ? "first" : "header"
      log.withLock { $0.append("begin \(word)") }
      if word == "first", let trace = own.withLock({ $0 }) {
        trace.addSlice("second", track: "t", start: start, duration: .zero)
        trace.flush()
        trace.flush()
      }
      log.withLock { $0.append("end \(word)") }
    }
    own.withLock { $0 = trace }
    trace.addSlice("first", track: "t", start: start, duration: .zero)
    trace.flush()
    own.withLock { $0 = nil }

    #expect(
      log.withLock { $0 } == [
        "begin header", "end header", "begin first", "end first", "begin second", "end second",
      ])
  }

  @Test("A slice of other work has a row whose last slice is over, and begins a row if there is none")
  func rows() throws {
    let trace = makeTrace()
    func add(_ name: String, _ track: String, at seconds: Int, for duration: Duration) {
      trace.addSlice(name, track: track, start: start + .seconds(seconds), duration: duration)
    }
    add("a", "t", at: 0, for: .seconds(2))
    add("b", "t", at: 1, for: .seconds(1))
    add("c", "u", at: 9, for: .zero)
    add("d", "t", at: 4, for: .zero)
    add("e", "t", at: 4, for: .seconds(-1))  // right where the one before ended
    add("f", "t", at: 3, for: .zero)
    trace.finish()

    let all = try slices()
    let names = written.joined().matches(of: /"tid":(\d+),"name":"thread_name","args":\{"name":"(\w)"\}/)
    #expect(all.map { $0["tid"] as? Int } == [1, 2, 3, 1, 1, 2])
    #expect(names.map { "\($0.1)\($0.2)" } == ["1t", "2t", "3u"])
    #expect(all.map { $0["dur"] as? Double } == [2_000_000, 1_000_000, 0, 0, 0, 0])
  }

  @Test("A slice of other work has a name, details in the order of their keys, and the time of its start")
  func details() throws {
    let trace = makeTrace()
    trace.addSlice(
      "a\"b", track: "t", start: start, duration: .nanoseconds(1_500),
      details: ["c": "3", "a": "1", "b\"": "2\\"])
    trace.addSlice("later", track: "t", start: start + .seconds(5), duration: .zero)
    trace.finish()

    let all = try slices()
    let times = all.compactMap { $0["ts"] as? Double }
    #expect(all[0]["name"] as? String == "a\"b")
    #expect(all[0]["dur"] as? Double == 1.5)
    #expect(written.joined().contains(#""args":{"a":"1","b\"":"2\\","c":"3"}}"#))
    #expect(written.joined().contains(#""name":"later","args":{}}"#))
    #expect(abs(times[1] - times[0] - 5_000_000) < 0.01)
  }

  @Test("A trace and a timeline write the same entries for the same signals")
  func same() {
    let trace = makeTrace()
    let timeline = Timeline()
    let (parent, child) = StagedSignals.parentAndChild()
    let signals: [(Signal, StagedSignals.Place?)] = [
      (.subscription, parent), (.requested(.max(1)), parent), (.requested(.unlimited), child),
      (.text("a"), child), (.text("a"), parent), (.drop("c"), child),
      (.drop("d", .noSubscriber), nil), (.failed("e"), child), (.cancelled, parent),
    ]
    for (signal, attachment) in signals {
      trace.observe(signal, on: attachment)
      timeline.observe(signal, on: attachment)
    }
    trace.finish()

    // The clock is read twice, so that the times differ. No counter changes twice, which depends on them.
    func plain(_ text: String) -> String { text.replacing(/"ts":[0-9.e+-]+/, with: "") }
    #expect(plain(written.joined()) == plain(timeline.perfetto))
    #expect(plain(timeline.perfetto).contains(#""name":"waiting #\#(parent.id) "#))
  }
}
