import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// Signals with times and threads of the test's choice, beside the entries of the format.
@Suite("Perfetto entries", .serialized, .leavesNothing)
struct PerfettoEncodingTests {
  let timeline = Timeline()

  /// The entries after the header.
  private var entries: [String] {
    let text = timeline.perfetto
    guard text.hasPrefix("[\n"), text.hasSuffix("\n]\n") else { return [text] }
    return Array(text.dropFirst(2).dropLast(3).components(separatedBy: ",\n").dropFirst(2))
  }

  private func slice(
    _ words: String, _ id: Int, _ time: Double, thread: Int = 1, queue: String = ""
  ) -> String {
    #"{"ph":"X","pid":1,"tid":\#(id),"ts":\#(time),"dur":0.05,"name":"\#(words)","#
      + #""args":{"thread":\#(thread),"queue":"\#(queue)"}}"#
  }

  private func figure(
    _ name: String, _ value: Int, _ one: StagedSignals.Place, _ time: Double,
    of words: String = "Map → Recorder"
  ) -> String {
    #"{"ph":"C","pid":1,"ts":\#(time),"name":"\#(name) #\#(one.id) \#(words)","#
      + #""args":{"\#(name)":\#(value)}}"#
  }

  private func arrow(
    _ name: String, _ number: Int, _ from: (StagedSignals.Place, Double),
    _ to: (StagedSignals.Place, Double)
  ) -> [String] {
    let common = #""pid":1,"cat":"\#(name)","name":"\#(name)","id":\#(number)"#
    return [
      #"{"ph":"s",\#(common),"tid":\#(from.0.id),"ts":\#(from.1)}"#,
      #"{"ph":"f","bp":"e",\#(common),"tid":\#(to.0.id),"ts":\#(to.1)}"#,
    ]
  }

  private func arrows(_ name: String) -> [String] {
    entries.filter { $0.contains(#""cat":"\#(name)""#) }
  }

  @Test("A trace begins with the names of both groups of tracks, and is a list also without events")
  func header() {
    let expected = """
      [
      {"ph":"M","pid":1,"name":"process_name","args":{"name":"Streams"}},
      {"ph":"M","pid":2,"name":"process_name","args":{"name":"Other work"}}
      ]

      """

    #expect(timeline.perfetto == expected)
  }

  @Test("A subscription opens a track, its signals do not overlap, and its end closes the track")
  func track() {
    let (one, _) = StagedSignals.pair()
    timeline.stage(.subscribed, on: one, at: 1_000)
    timeline.stage(.subscription, on: one, at: 1_000)
    timeline.stage(.requested(.max(2)), on: one, at: 2_000)
    timeline.stage(.text("a"), on: one, at: 3_000_003_000, thread: 2, queue: "work")
    timeline.stage(.finished, on: one, at: 3_000_004_000)
    // These took their times earlier, and were recorded later.
    timeline.stage(.requested(.unlimited), on: one, at: 2_500)
    timeline.stage(.text("b"), on: one, at: 3_000_003_500)
    timeline.stage(.cancelled, on: one, at: 3_000_009_000)

    let id = one.id
    let end: Double = 3_000_004.0 + 0.05
    let second: Double = 1.0 + 0.05
    let later: Double = end + 0.05
    let expected: [String] = [
      #"{"ph":"M","pid":1,"tid":\#(id),"name":"thread_name","args":{"name":"Map → Recorder"}}"#,
      #"{"ph":"B","pid":1,"tid":\#(id),"ts":1.0,"name":"Map","args":{"parent":"","place":""}}"#,
      slice("subscribed", id, 1),
      slice("subscription", id, second),
      slice("request 2", id, 2),
      slice("value a", id, 3_000_003, thread: 2, queue: "work"),
      figure("values", 1, one, 3_000_003),
      slice("finished", id, 3_000_004),
      figure("values", 1, one, 3_000_004),
      #"{"ph":"E","pid":1,"tid":\#(id),"ts":\#(end)}"#,
      slice("request unlimited", id, end),
      slice("value b", id, later),
      slice("cancel", id, 3_000_009),
    ]
    #expect(entries == expected)
  }

  @Test("A track names its parent and the place of its name")
  func place() {
    let all = StagedSignals.attachments {
      _ = PassthroughSubject<Int, Never>().map { $0 }.named("n", fileID: "App/A.swift", line: 3).record()
    }
    for one in all { timeline.stage(.subscribed, on: one, at: 1_000) }

    let places = entries.filter { $0.contains(#""ph":"B""#) }.map { $0.split(separator: "args").last ?? "" }
    #expect(all.count == 3)
    #expect(
      places == [
        #"":{"parent":"","place":"App/A.swift:3"}}"#,
        #"":{"parent":"\#(all[0].id)","place":"App/A.swift:3"}}"#,
        #"":{"parent":"\#(all[1].id)","place":"App/A.swift:3"}}"#,
      ])
  }

  @Test("A counter is written at most once in a millisecond, and each counter for itself")
  func counters() {
    let (one, _) = StagedSignals.pair()
    timeline.stage(.text("a"), on: one, at: 3_000)
    timeline.stage(.text("b"), on: one, at: 1_002_999)
    timeline.stage(.text("c"), on: one, at: 1_003_000)
    timeline.stage(.drop("d"), on: one, at: 1_003_500)
    timeline.stage(.drop("e"), on: one, at: 1_003_600)
    timeline.stage(.drop("f"), on: one, at: 2_003_500)
    timeline.stage(.released, on: one, at: 2_003_600)

    #expect(
      entries.filter { $0.contains(#""ph":"C""#) } == [
        figure("values", 1, one, 3), figure("values", 3, one, 1_003),
        figure("drops", 1, one, 1_003.5), figure("drops", 3, one, 2_003.5),
        figure("values", 3, one, 2_003.6),
      ])
  }

  @Test("A drop without a subscription is an instant, and words of more than 80 characters are cut")
  func cut() {
    let (one, _) = StagedSignals.pair()
    let (fitting, long) = (String(repeating: "x", count: 74), String(repeating: "y", count: 75))
    timeline.stage(.drop("1", .noSubscriber), on: nil, at: 5_000)
    timeline.stage(.drop(String(repeating: "z", count: 80)), on: nil, at: 6_000)
    timeline.stage(.text(fitting), on: one, at: 7_000)
    timeline.stage(.text(long), on: one, at: 8_000)

    let cut = "drop " + String(repeating: "z", count: 75) + "…"
    #expect(
      entries.prefix(2) == [
        #"{"ph":"i","s":"p","pid":1,"tid":0,"ts":5.0,"#
          + #""name":"drop 1: PassthroughSubject has no subscriber"}"#,
        #"{"ph":"i","s":"p","pid":1,"tid":0,"ts":6.0,"name":"\#(cut)"}"#,
      ])
    #expect(entries.contains(slice("value \(fitting)", one.id, 7)))
    #expect(entries.contains(slice("value \(long.dropLast())…", one.id, 8)))
  }

  @Test("An arrow leads from the last request below to a request on the same thread")
  func demand() {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.requested(.max(1)), on: above, at: 5_000)  // before any request below
    timeline.stage(.requested(.max(1)), on: below, at: 10_000)
    timeline.stage(.requested(.max(1)), on: above, at: 11_000)
    timeline.stage(.requested(.max(1)), on: above, at: 12_000, thread: 2)
    timeline.stage(.requested(.max(1)), on: below, at: 13_000)
    timeline.stage(.requested(.max(1)), on: above, at: 14_000)
    timeline.stage(.finished, on: below, at: 15_000)
    timeline.stage(.requested(.max(1)), on: above, at: 16_000)

    let expected = arrow("demand", 1, (below, 10), (above, 11)) + arrow("demand", 2, (below, 13), (above, 14))
    #expect(arrows("demand") == expected)
    #expect(arrows("hop").isEmpty)
  }

  @Test("An arrow leads from a value to its delivery below on another thread, in order")
  func hop() {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.subscription, on: below, at: 1_000)
    timeline.stage(.text("a"), on: above, at: 20_000)
    timeline.stage(.text("b"), on: above, at: 21_000)
    timeline.stage(.text("a"), on: below, at: 30_000, thread: 2)
    timeline.stage(.text("b"), on: below, at: 31_000, thread: 2)
    timeline.stage(.text("c"), on: below, at: 32_000, thread: 2)  // nothing has arrived for this one
    timeline.stage(.text("d"), on: above, at: 40_000)
    timeline.stage(.text("e"), on: above, at: 41_000, thread: 2)
    timeline.stage(.text("e"), on: below, at: 42_000, thread: 2)  // passed at once
    timeline.stage(.text("f"), on: above, at: 50_000)
    timeline.stage(.text("f"), on: below, at: 51_000, thread: 2)

    let expected: [String] =
      arrow("hop", 1, (above, 20), (below, 30)) + arrow("hop", 2, (above, 21), (below, 31))
      + arrow("hop", 3, (above, 50), (below, 51))
    #expect(arrows("hop") == expected)
    #expect(arrows("demand").isEmpty)
  }

  @Test(
    "The newest 1,000 of the values that have not been delivered below have arrows",
    arguments: [1_000, 1_001])
  func bound(count: Int) {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.subscription, on: below, at: 1_000)
    for number in 1...count { timeline.stage(.text("a"), on: above, at: UInt64(number + 1) * 1_000) }
    timeline.stage(.text("a"), on: below, at: 9_000_000, thread: 2)

    #expect(arrows("hop") == arrow("hop", 1, (above, Double(count - 1_000 + 2)), (below, 9_000)))
  }

  @Test("A counter shows how many values of merged publishers wait, until they have left")
  func waiting() {
    let (parent, child) = StagedSignals.parentAndChild()
    timeline.stage(.subscription, on: parent, at: 1_000)
    for number: UInt64 in 1...3 { timeline.stage(.text("a"), on: child, at: number * 10_000_000) }
    for number: UInt64 in 4...7 { timeline.stage(.text("a"), on: parent, at: number * 10_000_000) }

    let shown = entries.filter { $0.contains(#""name":"waiting "#) }
    let expected = zip([2, 1, 0], [40_000.0, 50_000, 60_000]).map {
      figure("waiting", $0, parent, $1, of: "FlatMap → Recorder")
    }
    #expect(child.parent == parent.id)
    #expect(shown == expected)
  }

  @Test("Values that nothing keeps are not counted as waiting")
  func passing() {
    let (below, above) = StagedSignals.pair()
    timeline.stage(.subscription, on: below, at: 1_000)
    timeline.stage(.text("a"), on: above, at: 2_000)
    timeline.stage(.text("a"), on: below, at: 3_000)

    #expect(!timeline.perfetto.contains("waiting"))
  }

  @Test("Quotation marks, backslashes and control characters of a text are escaped for JSON")
  func escaped() {
    let text = "a\"b\\c\nd\te\u{1}\u{1F} \u{7F}é"

    #expect(text.json == "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\\u001f \u{7F}é\"")
    #expect("".json == "\"\"")
  }
}
